//! Bytes of a file, decompressed, with the place they are at: [`Source`].

use std::io::{self, BufRead, BufReader, Cursor, Read};

use flate2::read::MultiGzDecoder;

use crate::zip::Member;
use crate::{Limits, Place, TraceError};

/// How much is looked at to recognize something.
pub(crate) const HEAD: u64 = 64 * 1024;

const GZIP: &[u8] = &[0x1f, 0x8b];
const ZIP: &[u8] = b"PK\x03\x04";

/// The bytes of a file, decompressed. It keeps in mind where in them it is.
pub(crate) struct Source<'a> {
    inner: Box<dyn BufRead + 'a>,
    place: Place,
    limits: Limits,
    n_bytes: u64,
    /// Bytes since [`Source::piece`].
    in_piece: u64,
}

impl<'a> Source<'a> {
    /// Decompress, if need be.
    pub(crate) fn new(mut from: impl Read + 'a, limits: Limits) -> Result<Self, TraceError> {
        let mut head = Vec::new();
        from.by_ref().take(4).read_to_end(&mut head)?;
        let (is_gzip, is_zip) = (head.starts_with(GZIP), head.starts_with(ZIP));
        let whole = Cursor::new(head).chain(from);
        let inner: Box<dyn BufRead + 'a> = if is_gzip {
            Box::new(BufReader::new(MultiGzDecoder::new(whole)))
        } else if is_zip {
            Box::new(BufReader::new(Member::new(whole)?))
        } else {
            Box::new(BufReader::new(whole))
        };
        Ok(Source { inner, place: Place { line: 1, column: 1 }, limits, n_bytes: 0, in_piece: 0 })
    }

    /// The first bytes, which stay where they are.
    pub(crate) fn head(&mut self) -> Result<Vec<u8>, TraceError> {
        let mut head = Vec::new();
        let read = self.inner.by_ref().take(HEAD).read_to_end(&mut head);
        // What comes before a damaged place can still be recognized, and the place is told later.
        let rest: Box<dyn Read + 'a> = match read {
            Err(error) if head.is_empty() => return Err(self.failed(error)),
            Err(error) => Box::new(Broken(error)),
            Ok(_) => Box::new(std::mem::replace(&mut self.inner, Box::new(io::empty()))),
        };
        self.inner = Box::new(BufReader::new(Cursor::new(head.clone()).chain(rest)));
        Ok(head)
    }

    /// Where the next byte is.
    pub(crate) fn place(&self) -> Place {
        self.place
    }

    /// A new line or piece of XML starts here.
    pub(crate) fn piece(&mut self) {
        self.in_piece = 0;
    }

    /// What it means that bytes could not be read.
    pub(crate) fn failed(&self, error: io::Error) -> TraceError {
        let place = self.place;
        let limits = self.limits;
        match error.kind() {
            io::ErrorKind::FileTooLarge => {
                TraceError::TooMuch { place, what: "bytes after decompression", most: limits.bytes }
            }
            io::ErrorKind::QuotaExceeded => {
                TraceError::TooMuch { place, what: "bytes in one line", most: limits.line }
            }
            io::ErrorKind::UnexpectedEof => {
                TraceError::Compressed { place, what: "ends in the middle".into() }
            }
            io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => {
                TraceError::Compressed { place, what: format!("is damaged ({error})") }
            }
            _ => TraceError::Io(error),
        }
    }
}

/// What cannot be read. A decoder tells its error once, and is over then as if all had been well;
/// this one tells it whenever it is asked.
struct Broken(io::Error);

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::new(self.0.kind(), self.0.to_string()))
    }
}

impl Read for Source<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let from = self.fill_buf()?;
        let n_bytes = from.len().min(into.len());
        into[..n_bytes].copy_from_slice(&from[..n_bytes]);
        self.consume(n_bytes);
        Ok(n_bytes)
    }
}

impl BufRead for Source<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.n_bytes > self.limits.bytes {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        if self.in_piece > self.limits.line {
            return Err(io::ErrorKind::QuotaExceeded.into());
        }
        self.inner.fill_buf()
    }

    fn consume(&mut self, n_bytes: usize) {
        if n_bytes == 0 {
            return;
        }
        // Whoever consumes has filled, so the bytes are there and no error can come.
        let seen = self.inner.fill_buf().unwrap_or_default();
        for &byte in &seen[..n_bytes.min(seen.len())] {
            self.place.column += 1;
            if byte == b'\n' {
                self.place = Place { line: self.place.line + 1, column: 1 };
            }
        }
        self.n_bytes += n_bytes as u64;
        self.in_piece += n_bytes as u64;
        self.inner.consume(n_bytes);
    }
}
