//! The one file in a zip file: [`Member`].
//!
//! A zip file can be read from front to back if there is one file in it: its local header stands
//! right before it, and what is compressed says where it ends. Archives of several files are
//! refused, because nobody can tell which one is meant.

use std::io::{self, BufRead, BufReader, Read};

use flate2::Crc;
use flate2::bufread::DeflateDecoder;

use crate::TraceError;
use crate::source::{AGAIN, START, UNPACK};

/// How long a local header is, without the name and what comes after it.
const HEADER: usize = 30;

/// How the header of another file starts.
const ANOTHER: &[u8] = b"PK\x03\x04";

/// How the sizes and the check sum start where they come after the data. It may be left out.
const DESCRIPTOR: &[u8] = b"PK\x07\x08";

const IS_ENCRYPTED: u16 = 1;
const IS_DESCRIBED_LATER: u16 = 8;
const STORED: u16 = 0;
const DEFLATED: u16 = 8;

/// The one file in a zip file, decompressed.
pub(crate) struct Member<R> {
    data: Data<R>,
    crc: Crc,
    /// The check sum, if it came before the data.
    expected: Option<u32>,
}

enum Data<R> {
    Deflated(DeflateDecoder<BufReader<R>>),
    /// With the number of bytes that are still to come.
    Stored(BufReader<R>, u64),
    Over,
}

impl<R: Read> Member<R> {
    /// Read the header.
    pub(crate) fn new(from: R) -> Result<Self, TraceError> {
        let mut from = BufReader::new(from);
        let header = loop {
            let (header, name) = header(&mut from).map_err(|_| cut_off())?;
            let is_folder = name.ends_with(b"/") && header[18..22] == [0; 4];
            if !(is_folder && header[..4] == *ANOTHER && header[8..10] == [0; 2]) {
                break header;
            }
        };
        if header[..4] != *ANOTHER {
            return Err(refused("has folders in it and no file"));
        }
        let short = |at: usize| u16::from_le_bytes([header[at], header[at + 1]]);
        let long = |at: usize| u32::from(short(at)) | u32::from(short(at + 2)) << 16;
        let (flags, method, size) = (short(6), short(8), u64::from(long(18)));
        let is_described_later = flags & IS_DESCRIBED_LATER != 0;
        let data = match method {
            _ if flags & IS_ENCRYPTED != 0 => return Err(refused("is encrypted")),
            DEFLATED => Data::Deflated(DeflateDecoder::new(from)),
            STORED if !is_described_later => Data::Stored(from, size),
            _ => return Err(refused("is packed in a rare way")),
        };
        let expected = (!is_described_later).then_some(long(14));
        Ok(Member { data, crc: Crc::new(), expected })
    }

    /// The data is over: see that it is whole and that nothing else is in the file.
    fn check(&self, mut rest: impl BufRead) -> io::Result<()> {
        let expected = match self.expected {
            Some(expected) => expected,
            None => descriptor(&mut rest)?,
        };
        if expected != self.crc.sum() {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the check sum is another one"));
        }
        let mut next = [0; 4];
        rest.read_exact(&mut next)?;
        if next == ANOTHER {
            let what = "is several files in one";
            return Err(io::Error::new(io::ErrorKind::Unsupported, what));
        }
        Ok(())
    }
}

/// The check sum of a descriptor, which is read to its end.
fn descriptor(rest: &mut impl Read) -> io::Result<u32> {
    let mut words = [0; 12];
    rest.read_exact(&mut words)?;
    let mut sum = &words[..4];
    if sum == DESCRIPTOR {
        sum = &words[4..8];
        rest.read_exact(&mut [0; 4])?;
    }
    Ok(u32::from_le_bytes([sum[0], sum[1], sum[2], sum[3]]))
}

/// A header and the name in it. What comes after the name is left out.
fn header(from: &mut impl Read) -> io::Result<([u8; HEADER], Vec<u8>)> {
    let mut header = [0; HEADER];
    from.read_exact(&mut header)?;
    let short = |at: usize| u16::from_le_bytes([header[at], header[at + 1]]);
    let mut name = vec![0; short(26).into()];
    from.read_exact(&mut name)?;
    io::copy(&mut from.take(short(28).into()), &mut io::sink())?;
    Ok((header, name))
}

fn cut_off() -> TraceError {
    let what = "ends in the header of a zip file".into();
    TraceError::Compressed { place: START, what, advice: AGAIN }
}

fn refused(what: &str) -> TraceError {
    TraceError::Compressed { place: START, what: what.into(), advice: UNPACK }
}

impl<R: Read> Read for Member<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let n_bytes = match &mut self.data {
            Data::Deflated(data) => data.read(into)?,
            Data::Stored(data, left) => {
                let n_bytes = data.take(*left).read(into)?;
                if n_bytes == 0 && *left > 0 && !into.is_empty() {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
                *left -= n_bytes as u64;
                n_bytes
            }
            Data::Over => 0,
        };
        self.crc.update(&into[..n_bytes]);
        if n_bytes == 0 && !into.is_empty() {
            match std::mem::replace(&mut self.data, Data::Over) {
                Data::Deflated(data) => self.check(data.into_inner())?,
                Data::Stored(data, _) => self.check(data)?,
                Data::Over => {}
            }
        }
        Ok(n_bytes)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::DeflateEncoder;

    use super::*;
    use crate::Options;

    /// A local header, the data, and the start of the directory.
    fn zip(method: u16, data: &[u8], sum: u32) -> Vec<u8> {
        let mut bytes = ANOTHER.to_vec();
        bytes.extend([20, 0, 0, 0]);
        bytes.extend(method.to_le_bytes());
        bytes.extend([0; 4]);
        bytes.extend(sum.to_le_bytes());
        bytes.extend((data.len() as u32).to_le_bytes());
        bytes.extend([0, 0, 0, 0, 1, 0, 0, 0, b'a']);
        bytes.extend(data);
        bytes.extend(b"PK\x01\x02");
        bytes
    }

    /// The entry of a folder, which stands before what is in it.
    fn folder() -> Vec<u8> {
        let mut bytes = zip(STORED, &[], 0);
        bytes.truncate(HEADER);
        bytes.push(b'/');
        bytes
    }

    fn unzip(bytes: &[u8]) -> Result<String, String> {
        let mut text = String::new();
        let mut member = Member::new(bytes).map_err(|error| error.to_string())?;
        member.read_to_string(&mut text).map_err(|error| error.to_string())?;
        Ok(text)
    }

    fn sum(text: &str) -> u32 {
        let mut crc = Crc::new();
        crc.update(text.as_bytes());
        crc.sum()
    }

    fn deflated(text: &str) -> Vec<u8> {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn the_one_file_is_read_stored_or_deflated() {
        let text = "1 2 3\n";
        assert_eq!(unzip(&zip(STORED, text.as_bytes(), sum(text))).unwrap(), text);
        let whole = zip(DEFLATED, &deflated(text), sum(text));
        assert_eq!(unzip(&whole).unwrap(), text);
        assert_eq!(unzip(&[folder(), folder(), whole].concat()).unwrap(), text);
        let empty = [folder(), b"PK\x01\x02".to_vec(), vec![0; 90]].concat();
        assert!(unzip(&empty).unwrap_err().contains("has folders in it and no file; unpack it"));
    }

    #[test]
    fn what_is_damaged_cut_off_or_not_alone_is_refused() {
        let text = "1 2 3\n";
        let whole = zip(DEFLATED, &deflated(text), sum(text));
        assert!(unzip(&zip(STORED, text.as_bytes(), 7)).unwrap_err().contains("check sum"));
        for end in 0..whole.len() {
            assert!(unzip(&whole[..end]).is_err(), "cut off at {end}");
        }
        let two = [&whole[..whole.len() - 4], &whole].concat();
        assert!(unzip(&two).unwrap_err().contains("is several files in one"));
        assert!(unzip(&zip(99, &[], 0)).unwrap_err().contains("rare way; unpack it"));
    }

    /// They are whole in what is looked at to recognize them.
    #[test]
    fn small_archives_that_are_damaged_or_not_alone_are_no_traces() {
        let text = "20 1 2\n40 1 3\n";
        let error = |bytes: &[u8]| crate::read(bytes, &Options::default()).unwrap_err().to_string();
        let (stored, packed) = (text.as_bytes(), &deflated(text)[..]);
        for (method, data) in [(STORED, stored), (DEFLATED, packed)] {
            let whole = zip(method, data, sum(text));
            assert_eq!(crate::read(&whole[..], &Options::default()).unwrap().nodes.len(), 3);
            let damaged = error(&zip(method, data, !sum(text)));
            assert!(damaged.contains("the check sum is another one"), "{damaged}");
            let two = error(&[&whole[..whole.len() - 4], &whole].concat());
            assert!(two.contains("is several files in one; unpack it, and"), "{two}");
            for end in 4..whole.len() {
                let cut = error(&whole[..end]);
                assert!(cut.contains("compressed data ends in"), "cut off at {end}: {cut}");
            }
        }
    }
}
