//! As much of Protocol Buffers as etcd's locks take: numbers and bytes.

/// A message in the making.
#[derive(Default)]
pub(crate) struct Message(Vec<u8>);

impl Message {
    pub(crate) fn number(mut self, field: u8, number: u64) -> Message {
        self.0.push(field << 3);
        self.varint(number);
        self
    }

    pub(crate) fn bytes(mut self, field: u8, bytes: &[u8]) -> Message {
        self.0.push(field << 3 | 2);
        self.varint(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
        self
    }

    fn varint(&mut self, mut number: u64) {
        while 0x80 <= number {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    /// As gRPC frames it: not compressed, and how long it is.
    pub(crate) fn framed(self) -> Vec<u8> {
        let length = (self.0.len() as u32).to_be_bytes();
        [&[0][..], &length, &self.0].concat()
    }
}

/// What a field has in it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Value<'m> {
    Number(u64),
    Bytes(&'m [u8]),
}

/// The value of a field, in the message of one frame.
pub(crate) fn field(frame: &[u8], wanted: u64) -> Value<'_> {
    let mut rest = &frame[5..];
    loop {
        let key = varint(&mut rest);
        let value = match key & 7 {
            0 => Value::Number(varint(&mut rest)),
            2 => {
                let length = varint(&mut rest) as usize;
                Value::Bytes(rest.split_off(..length).unwrap())
            }
            other => panic!("etcd has no fields of type {other} here"),
        };
        if key >> 3 == wanted {
            return value;
        }
    }
}

fn varint(rest: &mut &[u8]) -> u64 {
    let mut number = 0;
    for shift in (0..).step_by(7) {
        let byte = rest.split_off_first().unwrap();
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            break;
        }
    }
    number
}
