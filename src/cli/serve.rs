//! `gesf-tui serve`: the explorer in browsers.

use std::io::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;

use super::graph_args::graph_path;
use super::open::{ViewArgs, positive};
use super::output;
use super::prepared_graph::cancelled_by_ctrl_c;
use crate::folders;
use crate::graph::STANDARD_INPUT;
use crate::serve::{Launcher, Limits, Links, Options, serve};
use crate::spectral::Cancel;
use crate::tui::{Launch, Speed};

/// Serve the explorer to browsers.
#[derive(Debug, Args)]
pub(super) struct ServeArgs {
    /// Graphs to offer besides the samples; a single one opens at once
    #[arg(value_name = "PATH", value_parser = graph_path())]
    paths: Vec<PathBuf>,
    /// Let everyone watch your screen; visitors can take a copy and go on alone
    #[arg(long)]
    watch: bool,
    /// Collect handed-in lessons in this folder (see `learn --class`)
    #[arg(long, value_name = "FOLDER")]
    class: Option<PathBuf>,
    /// Print a second link that any number of visitors can use; implied by
    /// --watch, --class and --public
    #[arg(long)]
    invite: bool,
    /// Train at most this many epochs per second and session
    #[arg(long, value_name = "EPOCHS", value_parser = positive)]
    speed: Option<f32>,
    /// Start with training paused
    #[arg(long)]
    paused: bool,
    #[command(flatten)]
    network: NetworkArgs,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    view: ViewArgs,
}

/// Who can reach the server.
#[derive(Debug, Args)]
#[command(next_help_heading = "Network")]
struct NetworkArgs {
    /// Address and port to listen at; other machines need --public
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:7373")]
    bind: SocketAddr,
    /// Listen at an address that other machines reach, without encryption
    #[arg(long)]
    public: bool,
    /// Name under which a proxy makes the server known, such as class.example.org
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// Let visitors open, list and write files in this folder
    #[arg(long, value_name = "FOLDER")]
    allow: Vec<PathBuf>,
}

/// What a session may use.
#[derive(Debug, Args)]
#[command(next_help_heading = "Limits")]
struct LimitArgs {
    /// Sessions at the same time; further visitors wait in a queue
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u16).range(1..=1000))]
    sessions: u16,
    /// Minutes without input after which a session is saved and closed
    #[arg(long, value_name = "MINUTES", default_value_t = 30.0, value_parser = positive)]
    idle: f32,
    /// Memory of a session's model in MiB
    #[arg(long, value_name = "MIB", default_value_t = 512, value_parser = clap::value_parser!(u32).range(16..=1_000_000))]
    memory: u32,
    /// Long computations of a session that run at the same time
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=16))]
    jobs: u8,
    /// Runs of a session that are saved; further ones train without being saved
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    runs: u32,
    /// Messages per second from a visitor; more have to wait
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(10..=10_000))]
    messages: u32,
}

impl LimitArgs {
    fn limits(&self) -> Limits {
        Limits {
            sessions: usize::from(self.sessions),
            idle: Duration::from_secs_f32(60.0 * self.idle),
            memory: (self.memory as usize) << 20,
            jobs: usize::from(self.jobs),
            runs: self.runs as usize,
            messages_per_second: self.messages,
            ..Limits::default()
        }
    }
}

pub(super) fn run(args: &ServeArgs) -> anyhow::Result<()> {
    let options = options(args)?;
    let launcher = launcher(args)?;
    let cancel = cancelled_by_ctrl_c()?;
    let mut out = output::stdout();
    let (is_public, watch) = (args.network.public, args.watch);
    let sessions = options.limits.sessions;
    let tell = |links: &Links| {
        // If nobody reads the links, there is nothing to do about it.
        let _ = welcome(links, is_public, watch, sessions, &mut out);
    };
    let bind = options.bind;
    serve(options, launcher, tell, move || wait_for(&cancel))
        .with_context(|| format!("{bind}: the server cannot listen there"))
}

/// Waits until the program is asked to stop.
fn wait_for(cancel: &Cancel) {
    while !cancel.is_cancelled() {
        std::thread::sleep(Duration::from_millis(100));
    }
}

fn options(args: &ServeArgs) -> anyhow::Result<Options> {
    let network = &args.network;
    if !network.bind.ip().is_loopback() && !network.public {
        bail!(
            "--bind: found {}, which other machines can reach; without encryption they could read \
             and take over sessions\n  help: add --public if that is what you want, or let a proxy \
             with TLS pass requests on to 127.0.0.1 (docs/SERVE.md)",
            network.bind
        );
    }
    for path in &args.paths {
        if path == Path::new(STANDARD_INPUT) || !path.exists() {
            bail!("{}: found no file or folder, expected a graph", path.display());
        }
    }
    let folder = |path: &PathBuf| -> anyhow::Result<PathBuf> {
        let there = path.canonicalize().with_context(|| path.display().to_string())?;
        if there.is_dir() { Ok(there) } else { bail!("{}: expected a folder", path.display()) }
    };
    let Some(store) = folders::data().map(|data| data.join("serve")) else {
        bail!("no folder for sessions\n  help: set one in {}", folders::DATA_VARIABLE);
    };
    if let Some(class) = &args.class {
        std::fs::create_dir_all(class).with_context(|| class.display().to_string())?;
    }
    Ok(Options {
        bind: network.bind,
        hosts: network.host.clone(),
        graphs: args.paths.clone(),
        folders: network.allow.iter().map(folder).collect::<anyhow::Result<_>>()?,
        watch: args.watch,
        invite: args.invite || args.watch || args.class.is_some() || network.public,
        class: args.class.as_ref().map(folder).transpose()?,
        store,
        limits: args.limits.limits(),
    })
}

/// Makes the launch configuration of each session. Errors in options are reported now.
fn launcher(args: &ServeArgs) -> anyhow::Result<Launcher> {
    let (view, paused, speed) = (args.view.clone(), args.paused, args.speed);
    let launch = move || -> anyhow::Result<Launch> {
        let mut launch = view.launch_for_page()?;
        launch.paused |= paused;
        launch.speed = speed.map(Speed::limited);
        Ok(launch)
    };
    launch()?;
    Ok(Arc::new(move || launch().map_err(|error| format!("{error:#}"))))
}

fn welcome(
    links: &Links,
    is_public: bool,
    watch: bool,
    sessions: usize,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    writeln!(out, "Serving at {}; Ctrl-C saves all sessions and stops.", links.address)?;
    let whose = if watch { "Your screen, which visitors watch" } else { "Your session" };
    writeln!(out, "\n{whose} (the link works once):\n  {}", links.owner)?;
    if let Some(visitors) = &links.visitors {
        writeln!(
            out,
            "\nFor visitors, up to {sessions} sessions at the same time (until the server stops):\n  \
             {visitors}"
        )?;
    }
    if is_public {
        writeln!(
            out,
            "\nOther machines can connect. Nothing is encrypted: whoever can read the network can \
             take over a session. Use a proxy with TLS outside a room you trust (docs/SERVE.md)."
        )?;
    }
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Asked {
        #[command(flatten)]
        serve: ServeArgs,
    }

    fn asked(words: &[&str]) -> ServeArgs {
        Asked::parse_from([&["serve"], words].concat()).serve
    }

    #[test]
    fn an_address_that_others_reach_needs_an_explicit_word() {
        let said = options(&asked(&["--bind", "0.0.0.0:7373"])).unwrap_err().to_string();
        assert!(said.contains("--public") && said.contains("without encryption"), "{said}");
        let public = options(&asked(&["--bind", "0.0.0.0:7373", "--public"])).unwrap();
        assert!(public.invite);
        let usual = options(&asked(&[])).unwrap();
        assert!(usual.bind.ip().is_loopback() && !usual.invite && usual.folders.is_empty());
    }

    #[test]
    fn the_links_and_what_public_means_are_printed() {
        let links = Links {
            address: "0.0.0.0:7373".parse().unwrap(),
            owner: "http://0.0.0.0:7373/#a".to_owned(),
            visitors: Some("http://0.0.0.0:7373/#b".to_owned()),
        };
        let mut out = Vec::new();
        welcome(&links, true, true, 30, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        for part in ["/#a", "/#b", "works once", "Nothing is encrypted", "up to 30"] {
            assert!(text.contains(part), "{text}");
        }
    }
}
