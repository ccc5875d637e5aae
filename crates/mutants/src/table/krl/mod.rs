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
    parts: &["forwarding", "height", "initial", "outside", "parts", "procedures"],
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
    (
        "if config.heights.is_empty() {",
        "let mutant = config.mutant; if config.heights.is_empty() {",
    ),
];

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
    LinkInfo overwrites it";

const SET_ANEW: &str = "a link that comes back sets it anew, and nothing arrives before that";

const ASKED_THEN: &str = "when the token is confirmed, whoever has to ask and has not asks \
    (D2)";

const HEARD_OF: &str = "whoever did not know of a raise hears of it and asks again, token or \
    not";

const SINK: &str = "a sink has nothing under way: it has heard that next is above, or lost \
    that link";

// What is open.

const ASKED_TWICE: &str = "a request too many can bring a token where nobody wants it. It rests \
    there, as far as the trials go";

const AS_RL: &str = "the same of RL is killed in a clique of 4 with 1 or 2 link changes, which is \
    not among the trials here";

const ASKS_AGAIN: &str = "messages go round for ever, as in RL, with one token and 4 nodes linked \
    but for 0-1 and 1 link change, which takes longer than a test should";

const A_WAY_DOWN: &str = "whoever asks seems to have a way down: a sink raises itself first";

const BELOW_NEXT: &str = "who takes a token from next comes below it, which resets it too";

const CONFIRMED: &str = "what arrives before the confirmation of a token seems to be a request \
    sent twice, or a height that the confirmation behind it puts right";

const CONTENDED: &str = "it takes a line of 3 with 2 tokens of KRLA that asks 1, 2 and 2 times, \
    where the algorithm as it is has more states than a trial may";

const HOLDER_ASKED: &str = "a node with a request under way would have to get a token from \
    elsewhere and hear of a raise then. The trials have no such case in which it matters";

const MISSES: &str = "somebody would have to miss the token next to a node that came down unknown \
    to it. In the trials it hears of a token all the same";

const RESTS_NOT: &str = "heights go farther and farther apart, so that the bound cuts off the rest";

const SAME_HEIGHT: &str = "a node would have to raise itself and come back to the same height \
    while a link forms. The trials have no such case in which it matters";

const SEARCHES: &str = "with 3 nodes and up to 3 link changes the other rules find out all the \
    same. It may take a search that meets another one, and so more nodes";

const SEARCH_CROSSED: &str = "a request would have to cross with a move of somebody who misses \
    the token, and then with a token. The trials have no such case in which it matters";

const SENDS_ON: &str = "it sends more and more, so that runs are broken off before a promise is \
    seen to be broken";

const TOO_LARGE: &str = "in RL the token goes round for ever in a clique of 4 with 2 link changes, \
    which takes 19 million states to see";

const UP_AT_BOTH_ENDS: &str = "a link that leads up at both ends hides a token, but whoever has no \
    other way down raises itself and finds it, as far as the trials go";

const WAS_KILLED: &str = "KRLA was not silent with it when loads were counted otherwise. As they \
    are now, no trial shows it";
