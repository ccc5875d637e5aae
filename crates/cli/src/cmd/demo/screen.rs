//! The live view: a picture in the terminal, redrawn in place, or plain lines where there is none.

use std::io::{IsTerminal, stdout};

use anyhow::Result;
use terminal_size::{Height, Width, terminal_size};

use super::book::Rule;
use super::map::{self, INSIDE, styled};
use super::play::LOCKS;
use super::scene::{Row, Scene};
use crate::terminal::say;

/// How many columns and rows a picture needs.
const NEEDED: (u16, u16) = (80, 24);

/// Where scenes are shown.
pub(super) enum Screen {
    /// Nowhere: only the end counts.
    Dark,
    /// A line to a second.
    Lines { next: f64 },
    /// A picture, of so many lines so far.
    Picture { lines: usize, seconds: f64 },
}

impl Screen {
    /// What fits standard output. A picture is of a play that takes `seconds`.
    pub(super) fn open(json: bool, seconds: f64) -> Result<Screen> {
        let fits = |(Width(width), Height(height))| NEEDED.0 <= width && NEEDED.1 <= height;
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        if json {
            return Ok(Screen::Dark);
        }
        if is_dumb || !stdout().is_terminal() || !terminal_size().is_some_and(fits) {
            return Ok(Screen::Lines { next: 1.0 });
        }
        // No cursor while the picture is drawn; dropping this brings it back.
        let screen = Screen::Picture { lines: 0, seconds };
        say("\x1b[?25l")?;
        Ok(screen)
    }

    /// Show what there is to see.
    pub(super) fn show(&mut self, scene: &Scene) -> Result<()> {
        match self {
            Screen::Dark => Ok(()),
            Screen::Lines { next } => {
                if scene.seconds < *next {
                    return Ok(());
                }
                *next += 1.0;
                say(&format!("{}\n", plain_line(scene)))
            }
            Screen::Picture { lines, seconds } => {
                let back = if *lines == 0 { "\r".into() } else { format!("\r\x1b[{lines}A") };
                let picture = picture(scene, *seconds);
                *lines = picture.len();
                // Whatever else was written there is cleared away.
                let clear = |line: &String| format!("{line}\x1b[K\n");
                say(&(back + &picture.iter().map(clear).collect::<String>() + "\x1b[J"))
            }
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        if let Screen::Picture { .. } = self {
            // A terminal that is gone needs no cursor.
            let _ = say("\x1b[0m\x1b[?25h");
        }
    }
}

fn plain_line(scene: &Scene) -> String {
    let rates = LOCKS.iter().zip(&scene.rows);
    let rates = rates.map(|(lock, row)| format!("{} {:.0}/s", lock.name, row.per_second));
    let rates: Vec<String> = rates.collect();
    let waiting: usize = scene.rows.iter().map(|row| row.waiting.len()).sum();
    format!(
        "{:5.1} s  {}  waiting {waiting}  links {}, {}  overlaps {}",
        scene.seconds,
        rates.join("  "),
        scene.links.len(),
        scene.togetherness(),
        scene.overlaps,
    )
}

fn picture(scene: &Scene, seconds: f64) -> Vec<String> {
    let (width, _) = map::SIZE;
    let title = format!("driftlock demo: {} nodes, over an emulated radio", scene.marks.len());
    let clock = format!("{:.1} of {seconds} s", scene.seconds.min(seconds));
    let gap = (width + 2).saturating_sub(title.len() + clock.len());
    let mut lines = vec![format!(" {}{}{clock}", styled(&title, "1"), " ".repeat(gap))];
    lines.push(format!(" ╭{}╮", "─".repeat(width)));
    let map = map::draw(&scene.marks, &scene.links);
    lines.extend(map.into_iter().map(|line| format!(" │{line}│")));
    lines.push(legend(width, &scene.togetherness()));
    let head = columns(["lock", "kind", "inside", "waiting", "token at"], "grants/s");
    lines.push(styled(&head, "2"));
    for (lock, row) in scene.rows.iter().enumerate() {
        lines.push(table_row(lock, row));
    }
    lines.push(totals(scene));
    lines
}

/// What the colors mean, and whether there is a way from everyone to everyone, in the lower edge
/// of the map.
fn legend(width: usize, togetherness: &str) -> String {
    let mut legend = " ■ stands  ▲ moves   in".to_owned();
    let mut length = legend.chars().count();
    for (lock, style) in LOCKS.iter().zip(INSIDE) {
        legend += &format!(" {}", styled(lock.name, style));
        length += 1 + lock.name.len();
    }
    let gap = width.saturating_sub(length + togetherness.len() + 5);
    format!(" ╰─{legend} {} {togetherness} ─╯", "─".repeat(gap))
}

fn columns([lock, kind, inside, waiting, tokens]: [&str; 5], rate: &str) -> String {
    format!(" {lock:<9} {kind:<10} {inside:<18} {waiting:<17} {tokens:<9} {rate:>9}")
}

fn table_row(lock: usize, row: &Row) -> String {
    let played = &LOCKS[lock];
    let group = row.group.map_or(String::new(), |group| format!("{group}: "));
    let inside = group.clone() + &list(&row.holders, 18 - group.len());
    // The forks of a local lock are everywhere.
    let tokens = if played.rule == Rule::Local { "-".into() } else { list(&row.tokens, 9) };
    let rate = format!("{:.1}", row.per_second);
    let line =
        columns([played.name, played.kind, &inside, &list(&row.waiting, 17), &tokens], &rate);
    // The name has the color of those inside.
    line.replacen(played.name, &styled(played.name, INSIDE[lock]), 1)
}

/// Nodes, as many as fit.
fn list(nodes: &[usize], width: usize) -> String {
    let first = |count: usize| {
        let shown: Vec<String> = nodes[..count].iter().map(usize::to_string).collect();
        let more = format!("+{}", nodes.len() - count);
        let more = (count < nodes.len()).then_some(more);
        shown.into_iter().chain(more).collect::<Vec<_>>().join(" ")
    };
    let fitting = (0..=nodes.len()).rev().map(first).find(|text| text.len() <= width);
    fitting.unwrap_or_default()
}

fn totals(scene: &Scene) -> String {
    let style = if scene.overlaps == 0 { "1;32" } else { "1;37;41" };
    let doubt = match scene.in_doubt {
        0 => String::new(),
        tokens => format!(" · in doubt {tokens}"),
    };
    format!(
        " links {} · changes {} · tokens returned {}{doubt} · {}",
        scene.links.len(),
        scene.changes,
        scene.returned,
        styled(&format!("overlaps {}", scene.overlaps), style),
    )
}

#[cfg(test)]
mod tests {
    use super::super::scene::Mark;
    use super::super::world::World;
    use super::*;

    fn scene(nodes: usize) -> Scene {
        let world = World::new(nodes, false, 1);
        let mark = |node| Mark {
            place: world.place(node),
            moves: world.moves(node),
            inside: (node < 5).then_some(node % 4),
        };
        let row = Row {
            holders: (0..nodes).collect(),
            group: Some("north"),
            waiting: (0..nodes).collect(),
            tokens: (0..nodes).collect(),
            per_second: 9999.9,
        };
        let pairs = (0..nodes).flat_map(|a| (0..a).map(move |b| (b, a)));
        Scene {
            seconds: 86_400.0,
            marks: (0..nodes).map(mark).collect(),
            links: pairs.filter(|&(a, b)| world.in_range(a, b)).collect(),
            rows: vec![row; 4],
            changes: 99_999,
            returned: 999,
            in_doubt: 2,
            pieces: 50,
            overlaps: 0,
        }
    }

    /// How many columns a line takes.
    fn width(line: &str) -> usize {
        let parts = line.split("\x1b[").enumerate();
        let text =
            parts.map(|(k, part)| if k == 0 { part } else { part.split_once('m').unwrap().1 });
        text.map(|part| part.chars().count()).sum()
    }

    #[test]
    fn a_picture_fits_a_small_terminal() {
        for nodes in [2, 12, 50] {
            let picture = picture(&scene(nodes), 86_400.0);
            assert!(picture.len() < NEEDED.1.into(), "{} lines", picture.len());
            for line in &picture {
                assert!(width(line) < NEEDED.0.into(), "{} columns: {line}", width(line));
            }
        }
    }

    #[test]
    fn a_picture_shows_every_lock_and_what_counts() {
        let picture = picture(&scene(12), 20.0).join("\n");
        for part in
            ["pad-1", "channel", "survey", "crossing", "apart, 50 pieces", "overlaps 0", "north:"]
        {
            assert!(picture.contains(part), "no {part} in {picture}");
        }
        assert!(plain_line(&scene(12)).ends_with("apart, 50 pieces  overlaps 0"));
    }

    #[test]
    fn a_list_that_is_too_long_says_how_many_more_there_are() {
        assert_eq!(list(&[], 5), "");
        assert_eq!(list(&[0, 1, 2], 5), "0 1 2");
        assert_eq!(list(&[0, 1, 2, 3], 5), "0 +3");
        assert_eq!(list(&[10, 11], 5), "10 11");
    }
}
