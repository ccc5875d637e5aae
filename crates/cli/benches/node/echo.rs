//! The least that a cycle can cost: two exchanges over a Unix socket with somebody who only echoes.

use std::io::{Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;

use crate::Locker;

/// As many bytes as a request has.
const REQUEST: [u8; 48] = [7; 48];

pub(crate) struct Echo(UnixStream);

impl Echo {
    pub(crate) fn start(folder: &Path) -> Echo {
        let path = folder.join("echo.sock");
        let listener = UnixListener::bind(&path).unwrap();
        std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut buffer = [0; 48];
            while stream.read_exact(&mut buffer).is_ok() {
                stream.write_all(&buffer).unwrap();
            }
        });
        Echo(UnixStream::connect(path).unwrap())
    }

    fn exchange(&mut self) {
        let mut buffer = [0; 48];
        self.0.write_all(&REQUEST).unwrap();
        self.0.read_exact(&mut buffer).unwrap();
    }
}

impl Locker for Echo {
    fn acquire(&mut self) {
        self.exchange();
    }

    fn release(&mut self) {
        self.exchange();
    }
}
