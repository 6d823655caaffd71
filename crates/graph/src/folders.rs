//! The standard folders of the platform.

use std::path::PathBuf;

use directories::ProjectDirs;

/// Overrides the cache folder; used by tests and on shared machines.
pub const CACHE_VARIABLE: &str = "GESF_CACHE_DIR";

/// The cache folder; `None` if the platform has no home folder.
pub fn cache() -> Option<PathBuf> {
    std::env::var_os(CACHE_VARIABLE)
        .filter(|folder| !folder.is_empty())
        .map(PathBuf::from)
        .or_else(|| Some(ProjectDirs::from("", "", "gesf-tui")?.cache_dir().to_owned()))
}

/// Overrides the configuration folder.
pub const CONFIG_VARIABLE: &str = "GESF_CONFIG_DIR";

/// The configuration folder; `None` if the platform has no home folder.
pub fn config() -> Option<PathBuf> {
    std::env::var_os(CONFIG_VARIABLE)
        .filter(|folder| !folder.is_empty())
        .map(PathBuf::from)
        .or_else(|| Some(ProjectDirs::from("", "", "gesf-tui")?.config_dir().to_owned()))
}

/// Overrides the data folder.
pub const DATA_VARIABLE: &str = "GESF_DATA_DIR";

/// The folder for saved data of the user; `None` if the platform has no home
/// folder.
pub fn data() -> Option<PathBuf> {
    std::env::var_os(DATA_VARIABLE)
        .filter(|folder| !folder.is_empty())
        .map(PathBuf::from)
        .or_else(|| Some(ProjectDirs::from("", "", "gesf-tui")?.data_dir().to_owned()))
}

/// Where the explorer saves runs.
pub fn runs() -> Option<PathBuf> {
    Some(data()?.join("runs"))
}
