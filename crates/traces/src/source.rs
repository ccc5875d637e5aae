//! Bytes of a file, decompressed, with the place they are at: [`Source`].

use std::io::{self, BufRead, BufReader, Cursor, Read};

use flate2::read::MultiGzDecoder;

use crate::zip::Member;
use crate::{Limits, Place, TraceError};

/// How much is looked at to recognize something.
pub(crate) const HEAD: u64 = 64 * 1024;

const GZIP: &[u8] = &[0x1f, 0x8b];
const ZIP: &[u8] = b"PK\x03\x04";

/// What is compressed, or not text, in a way that is not read here: how it starts, what it is, and
/// what makes of it something that is.
const OTHERS: [(&[u8], &str, &str); 7] = [
    (b"BZh", "compressed by bzip2", "unpack it with `bunzip2`; gzip and zip are read as they are"),
    (b"\xfd7zXZ", "compressed by xz", "unpack it with `unxz`; gzip and zip are read as they are"),
    (b"\x28\xb5\x2f\xfd", "compressed by zstd", "unpack it with `unzstd`; gzip and zip are read"),
    (b"7z\xbc\xaf", "an archive of 7-Zip", "unpack it; gzip and zip are read as they are"),
    (b"\xff\xfe", "text in UTF-16", "convert it to UTF-8: `iconv -f UTF-16 -t UTF-8`"),
    (b"\xfe\xff", "text in UTF-16", "convert it to UTF-8: `iconv -f UTF-16 -t UTF-8`"),
    (b"PAR1", "Parquet", "write the contacts in it as CSV: `start,end,a,b`"),
];

/// What to do about compressed data.
pub(crate) const AGAIN: &str = "get the file again";
pub(crate) const UNPACK: &str = "unpack it, and give the file that is meant";

pub(crate) const START: Place = Place { line: 1, column: 1 };

/// The bytes of a file, decompressed. It keeps in mind where in them it is.
pub(crate) struct Source<'a> {
    inner: Box<dyn BufRead + 'a>,
    place: Place,
    limits: Limits,
    n_bytes: u64,
    /// Bytes since [`Source::piece`].
    in_piece: u64,
    /// What came in the way of [`Source::head`].
    broken: Option<io::Error>,
}

impl<'a> Source<'a> {
    /// Decompress, if need be.
    pub(crate) fn new(mut from: impl Read + 'a, limits: Limits) -> Result<Self, TraceError> {
        let mut head = Vec::new();
        from.by_ref().take(8).read_to_end(&mut head)?;
        if let Some((_, what, advice)) = OTHERS.iter().find(|(bytes, ..)| head.starts_with(bytes)) {
            let (what, advice) = (format!("the file is {what}"), (*advice).into());
            return Err(TraceError::Unknown { place: START, what, advice });
        }
        let (is_gzip, is_zip) = (head.starts_with(GZIP), head.starts_with(ZIP));
        let whole = Cursor::new(head).chain(from);
        let inner: Box<dyn BufRead + 'a> = if is_gzip {
            Box::new(BufReader::new(MultiGzDecoder::new(whole)))
        } else if is_zip {
            Box::new(BufReader::new(Member::new(whole)?))
        } else {
            Box::new(BufReader::new(whole))
        };
        Ok(Source { inner, place: START, limits, n_bytes: 0, in_piece: 0, broken: None })
    }

    /// The first bytes, which stay where they are.
    pub(crate) fn head(&mut self) -> Result<Vec<u8>, TraceError> {
        let mut head = Vec::new();
        let read = self.inner.by_ref().take(HEAD).read_to_end(&mut head);
        // What comes before a damaged place can still be recognized, and the place is told later.
        let rest: Box<dyn Read + 'a> = match read {
            Err(error) if head.is_empty() => return Err(self.failed(error)),
            Err(error) => {
                self.broken = Some(same(&error));
                Box::new(Broken(error))
            }
            Ok(_) => Box::new(std::mem::replace(&mut self.inner, Box::new(io::empty()))),
        };
        self.inner = Box::new(BufReader::new(Cursor::new(head.clone()).chain(rest)));
        Ok(head)
    }

    /// Why the head is not longer than it is, if the file is damaged there.
    pub(crate) fn damage(&self) -> Option<TraceError> {
        self.broken.as_ref().map(|error| self.failed(same(error)))
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
                TraceError::Compressed { place, what: "ends in the middle".into(), advice: AGAIN }
            }
            io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => {
                let what = format!("is damaged ({error})");
                TraceError::Compressed { place, what, advice: AGAIN }
            }
            io::ErrorKind::Unsupported => {
                TraceError::Compressed { place, what: error.to_string(), advice: UNPACK }
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
        Err(same(&self.0))
    }
}

fn same(error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), error.to_string())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, read};

    #[test]
    fn what_is_packed_otherwise_is_named() {
        for (bytes, what, advice) in OTHERS {
            let bytes = [bytes, &[7; 50]].concat();
            let error = read(&bytes[..], &Options::default()).unwrap_err().to_string();
            assert_eq!(error, format!("line 1, column 1: the file is {what}; {advice}"));
        }
    }
}
