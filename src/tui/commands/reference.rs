//! The key reference page, made from the table.

use std::fmt::Write as _;

use super::{Place, TABLE};

/// The page in Markdown.
pub fn reference() -> String {
    let mut page = String::from(
        "# Keys\n\nEvery command, its keys, and what it does. Any of them can be given other keys by its name, \
         under `[keys]` in `config.toml` (`gesf-tui config path` says where that is): `pause = [\"x\"]`.\n\
         \nOn plots a digit begins a number of epochs to run; in the panel of settings it begins a value.\n",
    );
    for (place, heading) in Place::ALL {
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
