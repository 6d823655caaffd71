//! What is served, to whom, and within which limits.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

/// How the server runs.
#[derive(Debug, Clone)]
pub struct Options {
    /// The address to listen at.
    pub bind: SocketAddr,
    /// Names under which a proxy or a name server makes it known.
    pub hosts: Vec<String>,
    /// Graphs offered besides the bundled samples; a single one opens at once.
    pub graphs: Vec<PathBuf>,
    /// Folders whose files visitors may open, list and write.
    pub folders: Vec<PathBuf>,
    /// Whether visitors watch the lecturer.
    pub watch: bool,
    /// Whether there is a link that any number of visitors can use.
    pub invite: bool,
    /// The folder that collects handed-in lessons.
    pub class: Option<PathBuf>,
    /// The folder with the files of all sessions.
    pub store: PathBuf,
    /// The limits.
    pub limits: Limits,
}

/// Limits that keep one visitor from taking what others need.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Sessions at the same time; further visitors wait.
    pub sessions: usize,
    /// Visitors that wait; further ones are sent away.
    pub queue: usize,
    /// Time without input after which a session is saved and ended.
    pub idle: Duration,
    /// Memory of a model, in bytes; a quarter of it for checkpoints.
    pub memory: usize,
    /// Slow computations of a session that run at the same time.
    pub jobs: usize,
    /// Runs of a session that are saved; further ones train unsaved.
    pub runs: usize,
    /// Size of a message from a visitor, in bytes.
    pub message: usize,
    /// Messages a second from a visitor.
    pub messages_per_second: u32,
    /// Connections that have not become a session yet.
    pub requests: usize,
    /// Time in which a request must arrive.
    pub request_time: Duration,
    /// Connections of one visitor at the same time.
    pub windows: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            sessions: 30,
            queue: 100,
            idle: Duration::from_secs(30 * 60),
            memory: 512 << 20,
            jobs: 2,
            runs: 100,
            message: 64 << 10,
            messages_per_second: 200,
            requests: 128,
            request_time: Duration::from_secs(10),
            windows: 8,
        }
    }
}
