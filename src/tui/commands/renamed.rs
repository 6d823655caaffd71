//! Command names of version 0.1: keys in `config.toml`, lessons and typed commands
//! may still use them.

/// Old and current names.
const RENAMED: [(&str, &str); 23] = [
    ("forth-one", "forward-one"),
    ("forth-far", "forward-far"),
    ("newest-epoch", "latest-epoch"),
    ("finely-more", "fine-more"),
    ("finely-less", "fine-less"),
    ("far-more", "coarse-more"),
    ("far-less", "coarse-less"),
    ("next-settings", "settings-page-down"),
    ("previous-settings", "settings-page-up"),
    ("drop-changes", "discard-changes"),
    ("take-run", "switch-run"),
    ("forget-run", "remove-run"),
    ("voice", "predict-from"),
    ("hops-around", "neighbourhood-hops"),
    ("slice-by", "group-by"),
    ("explained-class", "next-class"),
    ("previous-explained-class", "previous-class"),
    ("around-next", "next-neighbourhood"),
    ("around-previous", "previous-neighbourhood"),
    ("no-cursor", "hide-cursor"),
    ("map-shake", "map-relayout"),
    ("against-size", "width-or-size"),
    ("what", "what-is-this"),
];

/// The current name of a renamed command.
pub(crate) fn renamed(name: &str) -> Option<&'static str> {
    RENAMED.iter().find(|(old, _)| *old == name).map(|(_, new)| *new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::commands::command_names;

    #[test]
    fn old_names_resolve_to_commands_and_are_not_commands_themselves() {
        for (old, new) in RENAMED {
            assert!(command_names().any(|name| name == new), "{new}");
            assert!(command_names().all(|name| name != old), "{old}");
        }
    }
}
