//! What carries messages: [`Medium`].

/// What carries messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Medium {
    /// Each message goes over one link, to a neighbor. Processes are told of link changes.
    #[default]
    Links,
    /// Each message is routed to any node along the shortest path there is, one message and one
    /// delay per link, planned anew when links change, at no cost. Processes see no links. They
    /// are set up on a network of their own, an independent draw of the same description, as in
    /// section 6 of Walter, Welch and Vaidya (2001).
    Routed,
    /// Each message is routed to any node, and processes are told of link changes all the same.
    /// They are set up on the network as it is.
    Mesh,
}

impl Medium {
    /// Whether messages can go to any node.
    #[inline]
    pub fn routes(self) -> bool {
        self != Medium::Links
    }

    /// Whether processes are told of link changes.
    #[inline]
    pub fn shows_links(self) -> bool {
        self != Medium::Routed
    }

    /// The name to type.
    pub fn name(self) -> &'static str {
        match self {
            Medium::Links => "links",
            Medium::Routed => "routed",
            Medium::Mesh => "mesh",
        }
    }
}
