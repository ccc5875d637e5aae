//! What can be set: [`Config`].

/// How links are kept. All times are microseconds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Config {
    /// The name of the network. Frames of another are dropped.
    pub network: String,
    /// Between two HELLOs, while few neighbors are heard.
    pub hello_every: u64,
    /// How many bytes of HELLOs may be heard in a second. Where neighbors are many, all of them
    /// send HELLOs less often.
    pub hello_budget: u64,
    /// Whether this node moves. See [`Links::set_moving`](crate::Links::set_moving).
    pub moving: bool,
    /// The shortest time to wait for an acknowledgment.
    pub rto_min: u64,
    /// The longest time to wait for an acknowledgment before the frame is sent again.
    pub rto_max: u64,
    /// How long to wait for an acknowledgment while no round trip was measured.
    pub rto_initial: u64,
    /// How long nothing may be acknowledged before the link is broken.
    pub give_up_after: u64,
    /// The longest time an acknowledgment waits for a message to travel with.
    pub ack_delay: u64,
    /// How many messages may be under way to a peer. At most 32.
    pub window: usize,
    /// How many messages may wait for a peer.
    pub queue: usize,
    /// How many peers are known at a time.
    pub peers: usize,
    /// From the first question about a broken link to the second; each wait is twice the last.
    pub ask_first: u64,
    /// The longest time between two questions.
    pub ask_last: u64,
    /// How many frames are sealed with one key at most.
    pub rekey_frames: u64,
    /// How long a key is used at most.
    pub rekey_after: u64,
}

impl Config {
    /// What fits most networks.
    pub fn new(network: &str) -> Self {
        Config {
            network: network.into(),
            hello_every: 500_000,
            hello_budget: 20_000,
            moving: false,
            rto_min: 20_000,
            rto_max: 500_000,
            rto_initial: 100_000,
            give_up_after: 2_000_000,
            ack_delay: 1_000,
            window: 32,
            queue: 16_384,
            peers: 256,
            ask_first: 200_000,
            ask_last: 10_000_000,
            rekey_frames: 1 << 20,
            rekey_after: 3_600_000_000,
        }
    }
}
