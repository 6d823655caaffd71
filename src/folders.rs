//! Where the platform wants a program to keep its things.

use std::path::PathBuf;

use directories::ProjectDirs;

/// Names another folder for the cache; tests and shared machines use it.
pub const CACHE_VARIABLE: &str = "GESF_CACHE_DIR";

/// The folder for what can be computed again; `None` where the platform knows
/// no home.
pub fn cache() -> Option<PathBuf> {
    std::env::var_os(CACHE_VARIABLE)
        .filter(|folder| !folder.is_empty())
        .map(PathBuf::from)
        .or_else(|| Some(ProjectDirs::from("", "", "gesf-tui")?.cache_dir().to_owned()))
}

/// Names another folder for what a person sets.
pub const CONFIG_VARIABLE: &str = "GESF_CONFIG_DIR";

/// The folder for what a person sets; `None` where the platform knows no home.
pub fn config() -> Option<PathBuf> {
    std::env::var_os(CONFIG_VARIABLE)
        .filter(|folder| !folder.is_empty())
        .map(PathBuf::from)
        .or_else(|| Some(ProjectDirs::from("", "", "gesf-tui")?.config_dir().to_owned()))
}

/// Names another folder for what the program keeps of a person's work.
pub const DATA_VARIABLE: &str = "GESF_DATA_DIR";

/// The folder for what the program keeps of a person's work; `None` where the
/// platform knows no home.
pub fn data() -> Option<PathBuf> {
    std::env::var_os(DATA_VARIABLE)
        .filter(|folder| !folder.is_empty())
        .map(PathBuf::from)
        .or_else(|| Some(ProjectDirs::from("", "", "gesf-tui")?.data_dir().to_owned()))
}

/// Where the runs of the explorer are kept.
pub fn runs() -> Option<PathBuf> {
    Some(data()?.join("runs"))
}
