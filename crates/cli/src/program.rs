//! What this program is called in the commands that it tells people to type: [`name`].

use std::env;
use std::path::Path;
use std::sync::OnceLock;

static NAME: OnceLock<String> = OnceLock::new();

/// The name to type.
pub(crate) fn name() -> &'static str {
    NAME.get().map_or("driftlock", String::as_str)
}

/// This is a program of somebody else, with protocols of its own: the commands are under its name.
pub(crate) fn is_called_as_typed() {
    let typed = env::args_os().next();
    let file = typed.as_deref().and_then(|typed| Path::new(typed).file_stem());
    if let Some(name) = file.and_then(|name| name.to_str()).filter(|name| !name.is_empty()) {
        NAME.get_or_init(|| name.to_owned());
    }
}
