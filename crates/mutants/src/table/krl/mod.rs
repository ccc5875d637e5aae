//! The mutants of KRL, KRLF and KRLA, by the functions they are in. Those of the departures begin
//! with the number of the departure.

mod forwarding;
mod links;
mod parts;
mod procedures;
mod requests;

use super::Source;

pub(super) const SOURCE: Source = Source {
    name: "krl",
    parts: &["cold", "forwarding", "height", "initial", "outside", "parts", "procedures"],
    plumbing: PLUMBING,
    mutants: &[
        requests::MUTANTS,
        links::MUTANTS,
        procedures::MUTANTS,
        forwarding::MUTANTS,
        parts::MUTANTS,
    ],
};

const PLUMBING: &[(&str, &str)] = &[
    ("pub struct Krl { i: NodeId,", "pub struct Krl { mutant: u32, i: NodeId,"),
    ("pub struct Config {", "pub struct Config { pub mutant: u32,"),
    ("Config { variant, tokens,", "Config { mutant: 0, variant, tokens,"),
    ("let height = |j: NodeId|", "let mutant = config.mutant; let height = |j: NodeId|"),
    ("Krl { i,", "Krl { mutant, i,"),
    ("Krl { i: me,", "Krl { mutant: settings.mutant, i: me,"),
    ("pub struct Settings {", "pub struct Settings { pub mutant: u32,"),
    ("Settings { tokens: config", "Settings { mutant: config.mutant, tokens: config"),
    (
        "if config.heights.is_empty() {",
        "let mutant = config.mutant; if config.heights.is_empty() {",
    ),
];

/// The trial with what comes back.
const SETTLED: &str = "settled links";

// Why some survive.

const ANNOUNCED: &str = "who has raised its height has said so before it sends anything else, and \
    whoever heard it has done by then what there was to do";

const ANY_RAISE: &str = "every height above that of the lowest neighbor will do, and heights only \
    rise: another rule of reversal, with more raises or fewer";

const CONFIRMED_HEIGHT: &str = "any height below the sender's will do, and the confirmation says \
    which it is (D5)";

const IDLE: &str = "where idle tokens are, and whether they move, changes how long requests take. \
    Everyone is served as in KRL";

const MORE_MESSAGES: &str = "a message that tells nothing new";

const NEVER_BOTH: &str = "there is never a token to spare with somebody on Q: whoever comes there \
    is served at once";

const NEXT_NOT_READ: &str = "repaired, next is read only while a request is under way, and whoever \
    sent that has set next";

const NO_TOKEN_WAITING: &str = "who waits has no token, or it would be inside";

const OUT_OF_REACH: &str = "a token that requests cannot reach is one that others do not count on: \
    who has no way down raises itself until it has one. It makes less use of k tokens, and that k \
    are inside at once is allowed, not promised";

const SAME: &str = "the same is asked for elsewhere: lowering is for holders (D6), and holders are \
    dealt with before (D3)";

const SECOND_TOKEN: &str = "a holder that asks gets one more token, and has it to give";

const TAKEN_FOR_HIGHER: &str = "a neighbor is only ever taken for higher than it is, until it says \
    where it is, which costs raises and breaks no promise";

const FIRST_ON_Q: &str = "a second request to one neighbor finds the first on Q, or crosses with \
    a token and is ignored";

const IN_N_ANYWAY: &str = "records are made in N, and the repaired algorithm drops them with \
    their links";

const OVERWRITTEN: &str = "whoever reads a record asks whether it is in N, and the first \
    LinkInfo overwrites it, but for what was told, which can only make a message more";

const ASKED_THEN: &str = "when the token is confirmed, whoever has to ask and has not asks \
    (D2)";

const HEARD_OF: &str = "whoever did not know of a raise hears of it and asks again, token or \
    not";

const SINK: &str = "a sink has nothing under way: it has heard that next is above, or lost \
    that link";

const ACKNOWLEDGED: &str = "whoever gave its last token away hears that it has arrived (D5), or \
    that the link is gone, and raises itself if it has become a sink";

const ONE_SEARCH: &str = "these neighbors are all of one search and miss the token, and who \
    misses it asks nobody: how such nodes are ordered does not matter";

const JOINED_FIRST: &str = "a neighbor that does not miss the token is joined before anything \
    else, and a token comes from nobody else. No storm of 5,900 takes another course";

// What is open.

const ASKED_TWICE: &str = "a request too many can bring a token where nobody wants it. It rests \
    there in more than 1,000 storms and 40,000 walks";

const AS_RL: &str = "the same of RL lets the token go round for ever in a clique of 4 with 2 \
    link changes. Here every LinkInfo says whom its sender counts on (D2), and nothing shows \
    there, in all of 3 to 5 million states, or of one mutant in the first 16 million; nor in \
    more than 1,000 storms and 40,000 walks";

const CONFIRMED: &str = "what arrives before the confirmation of a token seems to be a request \
    sent twice, or a height that the confirmation behind it puts right: so in 5,900 storms and \
    40,000 walks. Of GME, two of these are killed";

const MISSES: &str = "somebody would have to miss the token next to a node that came down \
    unknown to it, and be above what it was told. Few of 5,900 storms take another course, and \
    all end well";

const SEARCHES: &str = "another search finds out all the same, in networks of up to 12 nodes \
    that fall apart: so in more than 3,000 storms and 40,000 walks";

const SEARCH_CROSSED: &str = "a request would have to cross with a move of somebody who misses \
    the token, and then with a token. 5,900 storms and 40,000 walks have no such case in which \
    it matters";

const TOLD_NOW: &str = "whoever comes down next to a neighbor that misses the token tells it. \
    Before it did so, storms with chosen seeds showed what this is for, and they do no more";

const TOO_LARGE: &str = "in RL the token goes round for ever in a clique of 4 with 2 link changes, \
    which takes 19 million states to see";

const UP_AT_BOTH_ENDS: &str = "a link that leads up at both ends hides a token, but whoever has \
    no other way down raises itself and finds it: so in 5,900 storms and 40,000 walks";
