//! Asks the terminal whether it displays pictures. Each question ends with one that
//! every terminal answers, so that there is no need to wait for those it does not know.

use super::answers::Answers;
use super::{Graphics, GraphicsChoice};

/// The attributes of the terminal.
const ATTRIBUTES: &str = "\x1b[c";
/// The size of a cell in pixels.
const CELL: &str = "\x1b[16t";
/// The name of the terminal.
const NAME: &str = "\x1b[>q";
/// A picture of one pixel that is not displayed.
const KITTY: &str = "\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\";

/// Finds out how this terminal is sent pictures, if it is. The terminal must be in raw
/// mode, and nobody else may read its input.
pub(in crate::tui) fn ask(
    choice: GraphicsChoice,
    variable: impl Fn(&str) -> Option<String>,
) -> Option<Graphics> {
    let is_set = |name: &str| variable(name).is_some_and(|value| !value.is_empty());
    let terminal = variable("TERM").unwrap_or_default();
    let is_multiplexed = ["TMUX", "STY", "ZELLIJ"].into_iter().any(is_set)
        || ["screen", "tmux", "dumb", "linux"].iter().any(|own| terminal.starts_with(own));
    match choice {
        GraphicsChoice::Never => None,
        GraphicsChoice::Send(protocol) => Some(Graphics { protocol, cell: None }),
        GraphicsChoice::Ask if is_multiplexed => None,
        GraphicsChoice::Ask | GraphicsChoice::Insist => {
            let is_remote = ["SSH_CONNECTION", "SSH_TTY"].into_iter().any(is_set);
            interview(terminal::replies, is_remote)?.graphics()
        }
    }
}

/// Asks step by step: a terminal that does not answer is asked nothing else, and one
/// that does not tell its name is sent no graphics.
fn interview(
    mut replies: impl FnMut(&str, bool) -> Option<String>,
    is_remote: bool,
) -> Option<Answers> {
    let mut step = |question: &str| {
        let text = replies(&format!("{question}{ATTRIBUTES}"), is_remote)?;
        Some(Answers::read(&text)).filter(|own| own.has_attributes)
    };
    let mut answers = step(CELL)?;
    if let Some(named) = step(NAME) {
        answers = answers.and(named);
    }
    if !answers.name.is_empty()
        && let Some(kitty) = step(KITTY)
    {
        answers = answers.and(kitty);
    }
    Some(answers)
}

#[cfg(unix)]
mod terminal {
    use std::io::{IsTerminal, Write};
    use std::time::{Duration, Instant};

    use rustix::event::{PollFd, PollFlags, Timespec, poll};

    use super::Answers;

    /// How long a terminal may take to answer; a local one needs a millisecond or two.
    const NEAR: Duration = Duration::from_millis(60);
    const REMOTE: Duration = Duration::from_millis(600);

    /// Sends a question; returns what comes back until the attributes do.
    pub(super) fn replies(question: &str, is_remote: bool) -> Option<String> {
        let (input, mut output) = (std::io::stdin(), std::io::stdout());
        if !(input.is_terminal() && output.is_terminal()) {
            return None;
        }
        // What was typed ahead is for the explorer, not an answer.
        let mut typed = [PollFd::new(&input, PollFlags::IN)];
        if poll(&mut typed, Some(&Timespec { tv_sec: 0, tv_nsec: 0 })).ok()? > 0 {
            return None;
        }
        output.write_all(question.as_bytes()).and_then(|()| output.flush()).ok()?;
        let deadline = Instant::now() + if is_remote { REMOTE } else { NEAR };
        let mut bytes = Vec::new();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let wait = Timespec { tv_sec: 0, tv_nsec: left.as_nanos() as i64 };
            let mut ready = [PollFd::new(&input, PollFlags::IN)];
            if left.is_zero() || poll(&mut ready, Some(&wait)).ok()? == 0 {
                return None;
            }
            let mut part = [0; 512];
            // Not by `Stdin`, which would keep what follows the answer.
            let count = rustix::io::read(&input, &mut part).ok().filter(|count| *count > 0)?;
            bytes.extend_from_slice(&part[..count]);
            let text = String::from_utf8_lossy(&bytes);
            if Answers::read(&text).has_attributes {
                return Some(text.into_owned());
            }
        }
    }
}

#[cfg(not(unix))]
mod terminal {
    /// Windows has no way to read the answers beside the console's own input.
    pub(super) fn replies(_question: &str, _is_remote: bool) -> Option<String> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::Protocol;
    use super::*;

    /// A terminal with answers to some questions; collects what it was asked.
    fn asked(answers: &[(&str, &str)]) -> (Option<Graphics>, String) {
        let mut said = String::new();
        let found = interview(
            |question, _| {
                said.push_str(question);
                let known = answers.iter().filter(|(own, _)| question.contains(own));
                Some(known.map(|(_, answer)| *answer).collect())
            },
            false,
        );
        (found.and_then(|own| own.graphics()), said)
    }

    #[test]
    fn a_protocol_is_chosen_by_what_the_terminal_answers() {
        let attributes = ("\x1b[c", "\x1b[?62;4;22c");
        let cell = ("\x1b[16t", "\x1b[6;20;10t");
        let kitty = ("\x1b_G", "\x1b_Gi=31;OK\x1b\\");
        let cell_known = Some((10, 20));
        let cases = [
            (vec![cell, attributes], Some(Protocol::Sixel)),
            (vec![attributes], None),
            (
                vec![cell, ("[>q", "\x1bP>|kitty(0.36)\x1b\\"), kitty, attributes],
                Some(Protocol::Kitty),
            ),
            (vec![cell, ("[>q", "\x1bP>|XTerm(380)\x1b\\"), attributes], Some(Protocol::Sixel)),
            (vec![cell, ("[>q", "\x1bP>|WezTerm 2024\x1b\\"), attributes], Some(Protocol::Iterm)),
            (vec![cell, ("[>q", "\x1bP>|iTerm2 3.5\x1b\\"), attributes], Some(Protocol::Iterm)),
            (vec![cell, ("\x1b[c", "\x1b[?6c")], None),
        ];
        for (answers, expected) in cases {
            let found = asked(&answers).0;
            assert_eq!(found.map(|own| own.protocol), expected, "{answers:?}");
            assert!(found.is_none_or(|own| own.cell == cell_known));
        }
    }

    #[test]
    fn a_terminal_without_a_name_is_sent_no_graphics() {
        let (_, said) = asked(&[("\x1b[c", "\x1b[?62c")]);
        assert!(said.contains("\x1b[>q") && !said.contains("\x1b_G"), "{said:?}");
        let (found, said) = asked(&[]);
        assert_eq!(found, None);
        assert_eq!(said, "\x1b[16t\x1b[c", "one that does not answer is asked once");
    }

    #[test]
    fn multiplexers_are_not_asked_unless_the_user_insists() {
        let tmux = |name: &str| (name == "TMUX").then(|| "/tmp/tmux".to_owned());
        assert_eq!(ask(GraphicsChoice::Ask, tmux), None);
        let forced = ask(GraphicsChoice::Send(Protocol::Sixel), tmux);
        assert_eq!(forced.map(|own| own.protocol), Some(Protocol::Sixel));
    }
}
