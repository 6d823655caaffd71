//! Dependencies inside a crate, which the compiler does not check: a module imports
//! only from modules below it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::{Path, PathBuf};

/// Crates with their modules, lowest first; modules of one row do not import each
/// other.
const LAYERS: [(&str, &[&[&str]]); 2] = [
    (
        "crates/core/src",
        &[
            &["memory", "npy"],
            &["model"],
            &["train"],
            &["baselines", "explain", "export", "layout"],
        ],
    ),
    ("src", &[&["escape"], &["tui"], &["serve"], &["cli"], &["main"]]),
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

/// Modules that a text imports as `crate::module`.
fn imported(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices("crate::").filter_map(|(at, mark)| {
        let rest = &text[at + mark.len()..];
        rest.find(|c: char| !c.is_alphanumeric() && c != '_').map(|end| &rest[..end])
    })
}

#[test]
fn no_module_imports_one_above_or_beside_it() {
    for (folder, layers) in LAYERS {
        let layer = |module: &str| layers.iter().position(|row| row.contains(&module));
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let mut files = Vec::new();
        sources(&root, &mut files);
        assert!(files.len() > 100, "{folder} has {} files", files.len());
        for path in files.iter().filter(|path| !path.ends_with("lib.rs")) {
            let first = path.strip_prefix(&root).unwrap().components().next().unwrap();
            let module = first.as_os_str().to_str().unwrap().trim_end_matches(".rs");
            let own = layer(module).unwrap_or_else(|| panic!("{} has no layer", path.display()));
            for other in imported(&std::fs::read_to_string(path).unwrap()) {
                let below = layer(other).is_none_or(|other| other < own);
                assert!(below || other == module, "{} imports {other}", path.display());
            }
        }
    }
}

#[test]
fn only_the_server_is_asynchronous() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["src", "crates"] {
        sources(&root.join(folder), &mut files);
    }
    for path in files.iter().filter(|path| !path.starts_with(root.join("src/serve"))) {
        let text = std::fs::read_to_string(path).unwrap();
        let is_async = text.contains("async ") || text.contains("tokio::");
        assert!(!is_async, "{} is asynchronous", path.display());
    }
}
