//! Worlds from files: traces of other tools become link changes.
//!
//! A file that moves nodes or tells who meets whom is a [`Trace`] ([`open`], [`read`]); its format
//! is recognized from its content. A [`Radio`] makes link changes of it ([`links`]), which come at
//! the exact moments at which two nodes come into range or leave it, or at those at which somebody
//! looks ([`sampled`]). Contacts are links already. [`inspect`] tells what it all amounts to,
//! and [`course`] how that changes while time goes on.
//!
//! ```
//! use driftlock_traces::{Options, Radio, UnitDisk, inspect, links, read};
//!
//! let text = "$node_(0) set X_ 0\n$node_(0) set Y_ 0\n$node_(1) set X_ 300\n$node_(1) set Y_ 0\n\
//!     $ns_ at 10.0 \"$node_(1) setdest 0 0 10\"\n";
//! let trace = read(text.as_bytes(), &Options::default()).unwrap();
//! let changes = links(&trace, &Radio::UnitDisk(UnitDisk { range: 250.0 })).unwrap();
//! let up = changes.changes[0];
//! assert_eq!((up.at, up.a, up.b, up.up), (15_000_000, 0, 1, true));
//! assert_eq!(inspect(&trace, &changes).share_connected, 0.625);
//! ```
//!
//! `docs/traces.md` has the formats, with their quirks and what is tolerated, and the formulas.
#![forbid(unsafe_code)]

mod bonnmotion;
mod bonnmotion_csv;
mod build;
mod course;
mod csv;
mod cut;
mod dtnsim2;
mod error;
mod fcd;
mod format;
#[cfg(test)]
mod fuzz;
mod globe;
mod haggle;
mod inspect;
mod linkdump;
mod links;
mod load;
mod names;
mod near;
mod ns2;
mod one_connectivity;
mod one_movement;
mod options;
mod parts;
mod radio;
mod read;
mod recognize;
mod sociopatterns;
mod source;
mod trace;
mod track;
mod updown;
mod walk;
mod zip;

pub use bonnmotion::Params;
pub use course::{Slice, course};
pub use error::{Place, TraceError};
pub use format::Format;
pub use inspect::{Inspection, inspect, inspect_with_course};
pub use links::{LinkChange, LinkChanges, LinksError, links, sampled};
pub use load::{companions, open, read};
pub use ns2::Activity;
pub use options::{Haggle, Limits, Options, Slot};
pub use radio::{LogDistance, QuasiUnitDisk, Radio, UnitDisk};
pub use trace::{Contact, Kind, Span, Trace};
pub use track::{Stretch, Track, Waypoint};
