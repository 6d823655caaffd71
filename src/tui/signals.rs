//! Signals, told to the event loop as news like any other.

/// What a signal asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    /// To end, by the signal of that number.
    End(u8),
    /// To go to the background.
    Suspend,
    /// The process goes on after it was stopped.
    Resumed,
}

/// Tells of every signal from now on.
#[cfg(unix)]
pub(super) fn listen(tell: impl Fn(Asked) -> bool + Send + 'static) -> std::io::Result<()> {
    use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP};
    let mut signals =
        signal_hook::iterator::Signals::new([SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGTSTP, SIGCONT])?;
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for signal in signals.forever() {
            let asked = match signal {
                SIGTSTP => Asked::Suspend,
                SIGCONT => Asked::Resumed,
                other => Asked::End(other as u8),
            };
            if !tell(asked) {
                return;
            }
        }
    })?;
    Ok(())
}

/// Stops the process until it is brought to the foreground again.
#[cfg(unix)]
pub(super) fn stop_here() -> std::io::Result<()> {
    signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGTSTP)
}

/// Other platforms have their own ways, which end the process.
#[cfg(not(unix))]
pub fn listen(_tell: impl Fn(Asked) -> bool + Send + 'static) -> std::io::Result<()> {
    Ok(())
}

/// There is no background to go to.
#[cfg(not(unix))]
pub fn stop_here() -> std::io::Result<()> {
    Ok(())
}
