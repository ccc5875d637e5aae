//! How long sessions are: [`Session`].

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// How many entries a session of one resource has at most while others wait: a number, or `off`.
///
/// ```
/// use driftlock_sim::Session;
/// assert_eq!("7".parse(), Ok(Session::AtMost(7)));
/// assert_eq!("off".parse(), Ok(Session::Off));
/// assert!("0".parse::<Session>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Session {
    /// Any number: who waits for another resource may wait as long as others come for this one.
    Off,
    /// So many.
    AtMost(u32),
}

impl Session {
    /// The number, if there is one.
    pub fn bound(self) -> Option<u32> {
        match self {
            Session::Off => None,
            Session::AtMost(entries) => Some(entries),
        }
    }
}

fn expected(found: impl fmt::Display) -> String {
    format!("expected a whole number from 1 to {} or `off`, found `{found}`", u32::MAX)
}

impl FromStr for Session {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse() {
            _ if text == "off" => Ok(Session::Off),
            Ok(entries) if entries > 0 => Ok(Session::AtMost(entries)),
            _ => Err(expected(text)),
        }
    }
}

impl fmt::Display for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Session::Off => f.write_str("off"),
            Session::AtMost(entries) => write!(f, "{entries}"),
        }
    }
}

impl Serialize for Session {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Session::Off => serializer.serialize_str("off"),
            Session::AtMost(entries) => serializer.serialize_u32(*entries),
        }
    }
}

impl<'de> Deserialize<'de> for Session {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl de::Visitor<'_> for Visitor {
            type Value = Session;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a whole number or \"off\"")
            }
            fn visit_i64<E: de::Error>(self, entries: i64) -> Result<Session, E> {
                let fits = u32::try_from(entries).ok().filter(|&entries| entries > 0);
                fits.map(Session::AtMost).ok_or_else(|| E::custom(expected(entries)))
            }
            fn visit_u64<E: de::Error>(self, entries: u64) -> Result<Session, E> {
                let fits = u32::try_from(entries).ok().filter(|&entries| entries > 0);
                fits.map(Session::AtMost).ok_or_else(|| E::custom(expected(entries)))
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Session, E> {
                if text == "off" { Ok(Session::Off) } else { Err(E::custom(expected(text))) }
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for session in [Session::Off, Session::AtMost(1), Session::AtMost(u32::MAX)] {
            assert_eq!(session.to_string().parse(), Ok(session));
            let json = serde_json::to_string(&session).unwrap();
            assert_eq!(serde_json::from_str::<Session>(&json).unwrap(), session);
        }
        assert_eq!((Session::Off.bound(), Session::AtMost(3).bound()), (None, Some(3)));
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["", "0", "-1", "on", "none", "1.5", "4294967296"] {
            assert!(text.parse::<Session>().is_err(), "{text}");
        }
        for json in ["0", "-1", "4294967296", "\"on\"", "\"7\"", "1.5", "true"] {
            assert!(serde_json::from_str::<Session>(json).is_err(), "{json}");
        }
    }
}
