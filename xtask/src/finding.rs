//! [`Finding`]: what a check says, and where.

use std::fmt;

use crate::tree::File;

/// One place that is not tidy.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Finding {
    /// The path from the root of the tree.
    pub file: String,
    /// Counted from 1.
    pub line: usize,
    /// What is wrong, and if it is not plain, what to do.
    pub what: String,
}

impl Finding {
    pub(crate) fn new(file: &File, line: usize, what: impl Into<String>) -> Self {
        Finding { file: file.path.clone(), line, what: what.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.what)
    }
}
