//! The clients against a fake node.

// In a test a panic is an answer.
#![allow(clippy::unwrap_used)]

// What `cargo bolero` builds has to be linked with it, whatever its tests are.
use driftlock_fuzz as _;

mod blocking;
mod cancel;
mod connect;
mod locks;
mod lost;
mod python;
mod views;

use driftlock_client::fake::Fake;
use tempfile::TempDir;

/// A fake node in a folder that goes when the test does.
struct Place {
    fake: Fake,
    folder: TempDir,
}

impl Place {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        Place { fake: Fake::start(folder.path().join("node.sock")), folder }
    }

    async fn client(&self) -> driftlock_client::Client {
        driftlock_client::Client::connect(self.fake.path()).await.unwrap()
    }

    fn blocking(&self) -> driftlock_client::blocking::Client {
        driftlock_client::blocking::Client::connect(self.fake.path()).unwrap()
    }
}
