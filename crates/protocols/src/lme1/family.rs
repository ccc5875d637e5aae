//! Linial's coloring made explicit: a cover-free family of polynomials, and the rounds that follow.
//!
//! The paper takes the family of sets from a theorem of Erdős, Frankl and Füredi (its Theorem 6)
//! that says that there is one. Here it is written down:
//!
//! **The family.** For a prime `q` and a degree `d`, a color `c < q^(d+1)` stands for the
//! polynomial `f_c` over the field of `q` elements whose coefficients are the `d + 1` digits of `c`
//! to the base `q`, and for the set of points `F_c = { (x, f_c(x)) : x < q }`, a point being the
//! number `x q + f_c(x) < q²`.
//!
//! **It covers nothing.** Two different polynomials of degree at most `d` agree in at most `d`
//! places, so `F_c` has at most `d` points in common with each of `δ` others, and at most `d δ`
//! with all of them. If `q > d δ`, one of its `q` points is in none of them. So if neighbors have
//! different colors below `q^(d+1)` and each takes a point of its set that is in no neighbor's set,
//! neighbors have different colors below `q²`.
//!
//! **The rounds.** Beginning with `k` colors (the identifiers), a round takes the smallest `q` for
//! which there is a `d` with `q > d δ` and `q^(d+1) ≥ k`; rounds go on while `q² < k`. With
//! `d = ⌈log₂ k⌉` there is such a prime of no more than `2 d δ + 1` (Bertrand), so a round leaves
//! `O((δ log k)²)` colors, and there are `O(log* k)` rounds.
//!
//! **What is left.** In the end there are at most `(4 δ + 2)²` colors, or as many as there were in
//! the beginning. For if `k > (4 δ + 2)²`, let `m` be the larger one of `2 δ + 1` and `⌈k^(1/3)⌉`.
//! There is a prime `q` with `m ≤ q ≤ 2 m - 1`, and it will do for `d = 2`. If `m = 2 δ + 1` then
//! `q² < (4 δ + 2)² < k`. Otherwise `q ≤ 2 k^(1/3) + 1` and `k^(1/3) > 2 δ + 1`, and then `q² < k`
//! if `k^(1/3) ≥ 5`, which leaves `δ = 1` and `36 < k < 125`, where `q = 5` will do.

/// One round: the prime and the degree.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Round {
    /// The prime `q`.
    pub q: u32,
    /// The degree `d`.
    pub d: u32,
}

impl Round {
    /// The first round for `k` colors where nobody has more than `degree` neighbors. Nothing if it
    /// would not make fewer of them.
    ///
    /// ```
    /// use driftlock_protocols::lme1::family::Round;
    /// assert_eq!(Round::first(1 << 20, 5), Some(Round { q: 23, d: 4 }));
    /// assert_eq!(Round::first(30, 5), None);
    /// ```
    pub fn first(k: u64, degree: u32) -> Option<Round> {
        let least = (1..=u64::BITS).map(|d| Round { q: prime(k, degree, d), d });
        let round = least.min_by_key(|round| (round.q, round.d))?;
        (round.colors() < k).then_some(round)
    }

    /// How many colors there are after it.
    pub fn colors(self) -> u64 {
        u64::from(self.q) * u64::from(self.q)
    }

    /// `f_c(x)`.
    pub fn value(self, c: u64, x: u32) -> u32 {
        let (q, x) = (u64::from(self.q), u64::from(x));
        let (mut digits, mut power, mut sum) = (c, 1, 0);
        for _ in 0..=self.d {
            sum = (sum + digits % q * power) % q;
            (digits, power) = (digits / q, power * x % q);
        }
        sum as u32
    }

    /// The least point of `F_c` that is in the set of none of `others`, if there is one.
    pub fn point(self, c: u64, others: impl Iterator<Item = u64> + Clone) -> Option<u64> {
        let free = |x: &u32| {
            let mine = self.value(c, *x);
            others.clone().all(|other| self.value(other, *x) != mine)
        };
        let x = (0..self.q).find(free)?;
        Some(u64::from(x) * u64::from(self.q) + u64::from(self.value(c, x)))
    }
}

/// The rounds of a recoloring, found once.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Rounds {
    all: [Round; Rounds::MOST],
    count: u8,
}

impl Rounds {
    /// As many are enough for any 32-bit identifiers. With fewer rounds colors would be legal too,
    /// and more of them left.
    const MOST: usize = 4;

    /// The rounds for `n` identifiers where nobody has more than `degree` neighbors.
    pub fn new(n: u32, degree: u32) -> Self {
        let mut found = Rounds::default();
        for round in rounds(n.into(), degree).take(Rounds::MOST) {
            found.all[usize::from(found.count)] = round;
            found.count += 1;
        }
        found
    }

    /// How many there are.
    #[inline]
    pub fn count(&self) -> usize {
        self.count.into()
    }

    /// The one after `done` rounds, if there is one.
    #[inline]
    pub fn after(&self, done: u8) -> Option<Round> {
        (done < self.count).then(|| self.all[usize::from(done)])
    }
}

/// All rounds for `n` identifiers where nobody has more than `degree` neighbors, and the number of
/// colors in the end.
///
/// ```
/// use driftlock_protocols::lme1::family::rounds;
/// let (all, colors) = (rounds(1 << 32, 4).count(), rounds(1 << 32, 4).last().unwrap().colors());
/// assert_eq!((all, colors), (2, 121));
/// ```
pub fn rounds(n: u64, degree: u32) -> impl Iterator<Item = Round> {
    core::iter::successors(Round::first(n, degree), move |last| Round::first(last.colors(), degree))
}

/// The smallest prime `q > d * degree` with `q^(d+1) >= k`.
fn prime(k: u64, degree: u32, d: u32) -> u32 {
    let is_enough = |q: u32| u64::from(q).checked_pow(d + 1).is_none_or(|colors| colors >= k);
    let (mut few, mut enough) = (d.saturating_mul(degree), u32::MAX);
    while few + 1 < enough {
        let middle = few + (enough - few) / 2;
        if is_enough(middle) { enough = middle } else { few = middle }
    }
    (enough..u32::MAX).find(|&q| is_prime(q)).unwrap_or(u32::MAX)
}

fn is_prime(q: u32) -> bool {
    let q = u64::from(q);
    q > 1 && (2..q).take_while(|p| p * p <= q).all(|p| q % p != 0)
}
