//! The explorer in a browser: one session a visitor, in one process.
//!
//! In: [`Options`] and a way to make a [`Launch`]. Out: an exit code, once the server is
//! stopped. The only asynchronous code is here: a session is the explorer of the
//! terminal on a thread of its own, with a [`Display`](crate::tui::Display) that keeps
//! the newest frame for those who look at it.
//!
//! ```text
//! browser ─▶ server (Host, Origin, limits) ─▶ join: token for a cookie
//!    ▲                  └─▶ connection ─▶ keys, mouse ─▶ session thread (explorer)
//!    └── changed cells ◀──┘      ▲── newest frame ◀──────┘
//! ```

mod connection;
mod frame;
mod guard;
mod hub;
mod input;
mod join;
mod options;
mod page;
mod rate;
mod screen;
mod secret;
mod server;
mod session;
mod store;

use std::io;
use std::sync::Arc;

pub use options::{Limits, Options};
pub use server::{Links, Server};

use crate::tui::Launch;

/// Makes the launch configuration of a session, on its thread.
pub type Launcher = Arc<dyn Fn() -> Result<Launch, String> + Send + Sync>;

/// Serves until `stop` returns; every session is saved. `tell` is given the links once
/// the server listens.
pub fn serve(
    options: Options,
    launcher: Launcher,
    tell: impl FnOnce(&Links),
    stop: impl FnOnce() + Send + 'static,
) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .thread_name("serve")
        .enable_io()
        .enable_time()
        .build()?;
    runtime.block_on(async {
        let server = Server::bind(options, launcher).await?;
        tell(server.links());
        let (stopped, stopping) = tokio::sync::oneshot::channel();
        std::thread::Builder::new().name("stop".to_owned()).spawn(move || {
            stop();
            let _ = stopped.send(());
        })?;
        server.run(stopping).await
    })
}
