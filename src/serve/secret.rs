//! Secrets of links and cookies. Only their digests are kept: neither a file nor a
//! comparison gives one away.

use rand::TryRng;
use rand::rngs::SysRng;
use sha2::{Digest as _, Sha256};

/// A random text that nobody can guess.
#[derive(Clone)]
pub(super) struct Secret(String);

/// What is known of a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Digest([u8; 32]);

impl Secret {
    /// A new one, from the system's generator.
    pub(super) fn random() -> std::io::Result<Self> {
        let mut bytes = [0; 24];
        SysRng
            .try_fill_bytes(&mut bytes)
            .map_err(|error| std::io::Error::other(error.to_string()))?;
        Ok(Self(hex(&bytes)))
    }

    /// The text.
    pub(super) fn text(&self) -> &str {
        &self.0
    }

    /// Its digest.
    pub(super) fn digest(&self) -> Digest {
        Digest::of(&self.0)
    }
}

impl Digest {
    /// The digest of a text.
    pub(super) fn of(text: &str) -> Self {
        Self(Sha256::digest(text.as_bytes()).into())
    }

    /// A name for files.
    pub(super) fn name(&self) -> String {
        hex(&self.0[..16])
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_differ_and_are_known_by_their_digest_only() {
        let (one, other) = (Secret::random().unwrap(), Secret::random().unwrap());
        assert_eq!(one.text().len(), 48);
        assert_ne!(one.digest(), other.digest());
        assert_eq!(one.digest(), Digest::of(one.text()));
        assert!(!one.digest().name().contains(&one.text()[..8]));
    }
}
