//! Signals, forwarded to the event loop.

/// What a signal requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(not(unix), allow(dead_code))]
pub(super) enum Signal {
    /// To exit; the signal number.
    End(u8),
    /// To suspend.
    Suspend,
    /// The process was resumed.
    Resumed,
}

/// Forwards every signal from now on.
#[cfg(unix)]
pub(super) fn listen(tell: impl Fn(Signal) -> bool + Send + 'static) -> std::io::Result<()> {
    use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP};
    let mut signals =
        signal_hook::iterator::Signals::new([SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGTSTP, SIGCONT])?;
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for signal in signals.forever() {
            let asked = match signal {
                SIGTSTP => Signal::Suspend,
                SIGCONT => Signal::Resumed,
                other => Signal::End(other as u8),
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

/// Other platforms end the process in their default way.
#[cfg(not(unix))]
#[allow(clippy::unnecessary_wraps)]
pub(super) fn listen(_tell: impl Fn(Signal) -> bool + Send + 'static) -> std::io::Result<()> {
    Ok(())
}

/// This platform has no suspend.
#[cfg(not(unix))]
#[allow(clippy::unnecessary_wraps)]
pub(super) fn stop_here() -> std::io::Result<()> {
    Ok(())
}
