//! Frames: a length of 4 bytes, big endian, and that many bytes of JSON.

use serde::Serialize;
use thiserror::Error;

/// The most bytes of JSON that a frame may have.
pub const LONGEST: usize = 65_536;

/// The bytes of the length.
const HEAD: usize = 4;

/// A frame that is longer than [`LONGEST`]. Nothing after it can be understood.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("a frame of {0} bytes is longer than {LONGEST}")]
pub struct TooLong(pub usize);

/// A value as a frame.
///
/// # Errors
///
/// If it does not fit.
pub fn encode<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>, TooLong> {
    let mut bytes = vec![0; HEAD];
    serde_json::to_writer(&mut bytes, value).expect("the API's types have text for keys");
    let length = bytes.len() - HEAD;
    if length > LONGEST {
        return Err(TooLong(length));
    }
    bytes[..HEAD].copy_from_slice(&(length as u32).to_be_bytes());
    Ok(bytes)
}

/// Takes bytes as they come, and gives the JSON of one frame after the other.
#[derive(Default, Debug)]
pub struct Decoder {
    bytes: Vec<u8>,
    /// How many of them are done with.
    start: usize,
}

impl Decoder {
    /// Take what has come.
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.drain(..self.start);
        self.start = 0;
        self.bytes.extend_from_slice(bytes);
    }

    /// The JSON of the next frame, if all of it is here.
    ///
    /// # Errors
    ///
    /// If the frame would be too long; the same error comes again then.
    pub fn next_frame(&mut self) -> Result<Option<&[u8]>, TooLong> {
        let rest = &self.bytes[self.start..];
        let Some((head, rest)) = rest.split_first_chunk::<HEAD>() else { return Ok(None) };
        let length = u32::from_be_bytes(*head) as usize;
        if length > LONGEST {
            return Err(TooLong(length));
        }
        let Some(frame) = rest.get(..length) else { return Ok(None) };
        self.start += HEAD + length;
        Ok(Some(frame))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(decoder: &mut Decoder) -> Vec<Vec<u8>> {
        let mut frames = Vec::new();
        while let Some(frame) = decoder.next_frame().unwrap() {
            frames.push(frame.to_vec());
        }
        frames
    }

    #[test]
    fn frames_come_out_however_their_bytes_came_in() {
        let bytes = [encode("one").unwrap(), encode("").unwrap(), encode(&[3, 4]).unwrap()];
        let frames: Vec<Vec<u8>> = [r#""one""#, r#""""#, "[3,4]"].map(Into::into).into();
        let bytes = bytes.concat();
        for size in 1..=bytes.len() {
            let mut decoder = Decoder::default();
            let mut found = Vec::new();
            for piece in bytes.chunks(size) {
                decoder.push(piece);
                found.extend(all(&mut decoder));
            }
            assert_eq!(found, frames, "in pieces of {size}");
        }
    }

    #[test]
    fn the_longest_frame_passes_and_a_longer_one_does_not() {
        let longest = encode(&"a".repeat(LONGEST - 2)).unwrap();
        let mut decoder = Decoder::default();
        decoder.push(&longest);
        assert_eq!(all(&mut decoder), [&longest[HEAD..]]);
        assert_eq!(encode(&"a".repeat(LONGEST - 1)), Err(TooLong(LONGEST + 1)));
        decoder.push(&(LONGEST as u32 + 1).to_be_bytes());
        assert_eq!(decoder.next_frame(), Err(TooLong(LONGEST + 1)));
        decoder.push(b"{}");
        assert_eq!(decoder.next_frame(), Err(TooLong(LONGEST + 1)));
    }
}
