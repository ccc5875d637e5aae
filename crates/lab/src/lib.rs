//! Experiments, and what is shown of them.
//!
//! This crate runs many simulations on all cores ([`sweep`], [`gathered`]), regenerates the tables
//! and figures of papers ([`study`] has them by name; a folder each), and turns the results of
//! repeated runs into things to read: estimates with confidence intervals ([`stats`]), verdicts on
//! claims ([`claim`]), tables ([`table`]), figures ([`figure`]) and self-contained pages
//! ([`report`]). Equal input gives equal bytes, so that outputs can be kept
//! under version control and a difference between two of them is a difference between results.
//!
//! ```
//! use driftlock_lab::figure::{Axis, Figure, Ink, Panel, Point, Series};
//! use driftlock_lab::report::Page;
//! use driftlock_lab::stats::Estimate;
//! use driftlock_lab::table::{Cell, Table};
//!
//! let estimate = Estimate::of(&[12.1, 11.4, 13.0, 12.6, 11.9]).expect("there are samples");
//! assert_eq!(estimate.to_string(), "12.20 ± 0.77");
//!
//! let mut table = Table::new("Time per entry", ["algorithm", "time units"]);
//! table.row([Cell::text("RL"), Cell::from(estimate)]);
//!
//! let curve = Series::measured("RL", Ink::default(), vec![Point::of_estimate(0.01, &estimate)]);
//! let panel = Panel::new("zero mobility", Axis::log("load"), Axis::linear("time units per entry"))
//!     .with_series(curve);
//! let figure = Figure::new("Waiting grows with load").with_panel(panel);
//!
//! let mut page = Page::new("Results");
//! page.heading("Time").table(&table).figure(&figure, "Five repetitions.");
//! assert!(page.html().contains("12.20 ± 0.77"));
//! ```

#![forbid(unsafe_code)]

pub mod akw2008;
pub mod claim;
pub mod compare;
pub mod figure;
pub mod gathered;
pub mod jiang;
#[cfg(test)]
mod made_up;
mod markup;
pub mod report;
pub mod sbs2014;
pub mod stats;
pub mod study;
pub mod sweep;
pub mod table;
pub mod wcm2001;
pub mod wwv2001;
