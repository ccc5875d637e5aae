//! Keys of nodes: [`public_key`].

use snow::params::DHChoice;
use snow::resolvers::{CryptoResolver, DefaultResolver};

/// The public X25519 key that goes with a secret one.
pub fn public_key(secret: &[u8; 32]) -> [u8; 32] {
    let resolver = DefaultResolver;
    let mut dh = resolver.resolve_dh(&DHChoice::Curve25519).expect("X25519 is built in");
    dh.set(secret);
    let mut public = [0; 32];
    public.copy_from_slice(&dh.pubkey()[..32]);
    public
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_public_key_is_that_of_rfc_7748() {
        // Section 5.2: the scalar 9 times the base point, after one iteration.
        let mut secret = [0; 32];
        secret[0] = 9;
        let public = "422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079";
        let hex: String = public_key(&secret).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, public);
    }
}
