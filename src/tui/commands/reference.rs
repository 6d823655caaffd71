//! The key reference page, generated from the command table.

use std::fmt::Write as _;

use super::{CommandScope, TABLE};

/// The page as Markdown.
pub fn reference() -> String {
    let mut page = String::from(
        "# Keys\n\nEvery command, its keys, and what it does. Rebind a command by name \
         under `[keys]` in `config.toml` (see `gesf-tui config path`): `pause = [\"x\"]`.\n\
         \nOn plots, a digit starts a number of epochs to run; in the settings panel, a value.\n",
    );
    for (place, heading) in CommandScope::ALL {
        let _ = writeln!(
            page,
            "\n## {heading}\n\n| command | keys | what it does |\n| --- | --- | --- |"
        );
        for command in TABLE.iter().filter(|command| command.place == place) {
            let keys: Vec<String> = command.keys.iter().map(|key| format!("`{key}`")).collect();
            let _ = writeln!(page, "| {} | {} | {} |", command.name, keys.join(" "), command.what);
        }
    }
    page
}
