//! What goes wrong with interfaces.

use std::fs;
use std::time::Instant;

use driftlock_client::wire::Status;

use crate::fleet::NEVER;
use crate::lab::Lab;
use crate::looks::{Looks, connect};
use crate::map::Links;

impl Lab {
    /// From now on the frames of this node look as if they had passed a router; or no more.
    fn set_far(&mut self, node: u32, far: bool) {
        let verb = if far { "add" } else { "delete" };
        self.nft(&format!("{verb} element bridge air far {{ \"v{node}\" }}"));
    }

    /// Take its interface away.
    fn remove_radio(&mut self, node: u32) {
        self.run(&format!("ip link delete v{node}"));
    }

    /// Switch its interface off.
    fn set_radio_down(&mut self, node: u32) {
        let space = self.space(node);
        self.run(&format!("nsenter --net={space} ip link set radio down"));
    }

    /// What a node has logged.
    fn log(&self, node: u32) -> String {
        fs::read_to_string(self.folder.path().join(format!("{node}.log"))).unwrap()
    }
}

/// Two nodes that hear each other, and the link that comes of it.
fn two(lab: &mut Lab) -> (Looks, Links) {
    lab.set_near(&[(1, 2), (2, 1)].into());
    lab.start(1, "--interface radio --hello 100 --found");
    lab.start(2, "--interface radio --hello 100");
    let clients = [1, 2].map(|node| (node, connect(&lab.socket(node), NEVER)));
    (Looks::new(clients.into()), Links::from([(1, 2)]))
}

/// Whether a node warns that it cannot send.
fn cannot_send(status: &Status) -> bool {
    status.warnings.iter().any(|warning| warning.starts_with("frames cannot be sent: "))
}

/// The node lives on and says so; when the interface is back, so are its links.
pub(crate) fn interface_goes_away(mut lab: Lab) {
    let (looks, linked) = two(&mut lab);
    looks.until(&linked, Instant::now(), NEVER).unwrap();
    lab.remove_radio(2);
    looks.until_status(2, NEVER, cannot_send);
    looks.until(&Links::new(), Instant::now(), NEVER).unwrap();
    lab.add_radio(2).unwrap();
    looks.until(&linked, Instant::now(), NEVER).unwrap();
    looks.until_status(2, NEVER, |status| status.warnings.is_empty());
}

/// Frames that arrive with a hop limit below 255 have passed a router.
pub(crate) fn router_between(mut lab: Lab) {
    let (looks, linked) = two(&mut lab);
    looks.until(&linked, Instant::now(), NEVER).unwrap();
    lab.set_far(1, true);
    looks.until(&Links::new(), Instant::now(), NEVER).unwrap();
    lab.set_far(1, false);
    looks.until(&linked, Instant::now(), NEVER).unwrap();
}

/// A node may be started before its interface is up: it says so, and links when it is.
pub(crate) fn interface_is_down(mut lab: Lab) {
    lab.set_radio_down(2);
    let (looks, linked) = two(&mut lab);
    looks.until_status(2, NEVER, cannot_send);
    lab.remove_radio(2);
    lab.add_radio(2).unwrap();
    looks.until(&linked, Instant::now(), NEVER).unwrap();
}

/// The node does not start, and says why.
pub(crate) fn no_interface(mut lab: Lab) {
    lab.remove_radio(1);
    let node = lab.start(1, "--interface radio");
    assert_eq!(lab.run(&format!("wait {node}; echo $?")).trim(), "2");
    assert!(lab.log(1).contains("there is no network interface `radio`"), "{}", lab.log(1));
}
