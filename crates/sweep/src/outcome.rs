//! What came of a cell: [`Outcome`].

use driftlock_sim::Run;
use serde::{Deserialize, Serialize};

use crate::columns::METRICS;

/// What came of a cell: its repetitions, in the order of their seeds.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Outcome {
    /// Each repetition.
    pub runs: Vec<Done>,
}

/// What came of one run.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Done {
    /// How it ended.
    pub status: Status,
    /// Steps of all processes.
    pub steps: u64,
    /// When the last one was, in units.
    pub ended_at: f64,
    /// What was measured, in the order of [`METRICS`]; nothing where a promise was broken.
    pub values: Vec<Value>,
    /// Messages per entry by kind; nothing where nobody entered.
    pub kinds: Vec<(String, f64)>,
    /// How often procedures of the paper were carried out.
    pub notes: Vec<(String, u64)>,
}

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Status {
    /// All promises held.
    #[default]
    Held,
    /// A promise was broken: which.
    Violated(String),
    /// The protocol cannot do this scenario, or there is no such network: why.
    Refused(String),
    /// The run has a bug: what it said.
    Panicked(String),
}

/// Something measured.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub enum Value {
    /// It does not apply here.
    #[default]
    Null,
    /// A count.
    Int(i64),
    /// A number.
    Float(f64),
}

impl Value {
    /// The number, if there is one.
    pub fn number(self) -> Option<f64> {
        match self {
            Value::Null => None,
            Value::Int(number) => Some(number as f64),
            Value::Float(number) => Some(number),
        }
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Value::Float(number)
    }
}

impl From<u64> for Value {
    fn from(number: u64) -> Self {
        Value::Int(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Self {
        Value::Int(number.into())
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Value::Null, Into::into)
    }
}

impl Done {
    /// What came of a run that was not interrupted.
    pub fn of(run: &Run) -> Self {
        let metrics = &run.metrics;
        let by_kind = metrics.messages_by_kind.iter().filter(|_| metrics.entries > 0);
        let done = Done {
            status: Status::Held,
            steps: run.steps,
            ended_at: run.ended_at,
            values: METRICS.iter().map(|metric| (metric.read)(metrics)).collect(),
            kinds: by_kind.map(|(kind, number)| ((*kind).into(), *number)).collect(),
            notes: metrics.notes.iter().map(|(what, n)| ((*what).into(), *n)).collect(),
        };
        match &run.violation {
            None => done,
            Some(violation) => {
                Done { status: Status::Violated(violation.to_string()), ..done }.without_values()
            }
        }
    }

    /// A run of which there is nothing but how it ended.
    pub fn without(status: Status) -> Self {
        Done { status, ..Done::default() }
    }

    /// A run in which a promise was broken went on until then and no longer: nothing was measured.
    pub(crate) fn without_values(self) -> Self {
        Done { values: Vec::new(), kinds: Vec::new(), notes: Vec::new(), ..self }
    }

    /// The metric at this place of [`METRICS`], if it was measured.
    pub fn number(&self, place: usize) -> Option<f64> {
        self.values.get(place)?.number()
    }

    /// Whether there was a run at all, with all promises held or not.
    pub fn is_run(&self) -> bool {
        matches!(self.status, Status::Held | Status::Violated(_))
    }

    /// Whether the run was refused.
    pub fn is_refused(&self) -> bool {
        matches!(self.status, Status::Refused(_))
    }
}
