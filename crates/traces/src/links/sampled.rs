//! Links as somebody sees them who looks from time to time.

use super::{LinkChange, LinksError, Up, WORK_OF_A_LOOK, Work, square};
use crate::Radio;
use crate::near::{Bounds, pairs_near};
use crate::trace::seconds;
use crate::track::Track;

/// All changes of all links, seen at these times, in microseconds.
pub(super) fn changes(
    tracks: &[Track],
    radio: &Radio,
    times: impl IntoIterator<Item = i64>,
    work: &mut Work,
) -> Result<Vec<LinkChange>, LinksError> {
    let mut up = Up::default();
    for at in times {
        let t = seconds(at);
        work.spend(tracks.len().max(1) * WORK_OF_A_LOOK)?;
        let places: Vec<Option<[f64; 3]>> = tracks.iter().map(|track| track.at(t)).collect();
        let bounds: Vec<Option<Bounds>> =
            places.iter().map(|place| place.map(Bounds::of)).collect();
        let near = pairs_near(&bounds, radio.farthest(), work)?;
        for (a, b) in up.with(near) {
            work.spend(WORK_OF_A_LOOK)?;
            let is_up = match (places[a as usize], places[b as usize]) {
                (Some(one), Some(two)) => {
                    let reach = radio.reach(a, b, t);
                    let was_up = up.links.contains(&(a, b));
                    let most = if was_up { reach.leaves } else { reach.joins };
                    square(one, two) <= most * most
                }
                _ => false,
            };
            up.set(t, (a, b), is_up, work)?;
        }
    }
    Ok(up.changes)
}
