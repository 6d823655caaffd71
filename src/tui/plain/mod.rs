//! Plain-text mode: for screen readers, logs, and terminals that cannot draw. It
//! reports changes in sentences and takes the same commands as typed words.

mod reporter;
mod sentences;

use std::io::{self, BufRead, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use super::commands::{Command, TABLE, command_names};
use super::launch::Launch;
use super::layers::{Layer, Search, choose, presets};
use super::message::{Clip, Effect, Message};
use super::node::{named, open_node};
use super::shot;
use super::state::{Screen, State};
use super::state_change::StateChange;
use super::text_input::TextInput;
use super::update::update;
use crate::suggest::nearest;
use crate::train::{Event, Phase, TrainingCommand, Worker};
pub(super) use reporter::{Heard, Reporter};
use reporter::{PAUSE, is_resting};
use sentences::{epoch_sentence, filter_sentence, lab_sentences, node_sentences};

/// How input lines arrive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Typed {
    /// Typed by a user, who may interrupt.
    Live,
    /// From a file: a line waits until the previous command is done.
    Ahead,
}

enum PlainEvent {
    Line(String),
    InputEnded,
    News,
}

/// Reports on training until the user quits, or until training is done and the input
/// has ended; returns the exit code.
pub fn narrate(
    launch: &Launch,
    input: impl BufRead + Send + 'static,
    typed: Typed,
    out: &mut dyn Write,
) -> io::Result<u8> {
    let (sender, inbox) = channel();
    let mut state = launch.state();
    let Some(opening) = launch.open_first() else {
        writeln!(
            out,
            "No graph given. Use gesf-tui --plain PATH; gesf-tui alone lists the samples."
        )?;
        return Ok(2);
    };
    let wake = sender.clone();
    let started = opening.and_then(|opening| {
        let begin = launch.begin(launch.paused, launch.home.runs.clone());
        opening.start(&mut state, begin, move || drop(wake.send(PlainEvent::News)))
    });
    let worker = match started {
        Ok(worker) => worker,
        Err(why) => {
            writeln!(out, "{why}")?;
            return Ok(1);
        }
    };
    listen(input, sender)?;
    let mut narrator = Narrator {
        state,
        worker,
        out,
        start: Instant::now(),
        reporter: Reporter::new(PAUSE),
        deaf: false,
        typed,
        awaited: None,
    };
    let title = narrator.state.graph.session.title.clone();
    narrator.say(&format!("Opening {title}. Type help for commands, quit to leave."))?;
    let code = narrator.run(&inbox);
    narrator.worker.finish();
    code
}

fn listen(input: impl BufRead + Send + 'static, sender: Sender<PlainEvent>) -> io::Result<()> {
    std::thread::Builder::new().name("input".to_owned()).spawn(move || {
        for line in input.lines().map_while(Result::ok) {
            if sender.send(PlainEvent::Line(line)).is_err() {
                return;
            }
        }
        let _ = sender.send(PlainEvent::InputEnded);
    })?;
    Ok(())
}

struct Narrator<'a> {
    state: State,
    worker: Worker,
    out: &'a mut dyn Write,
    start: Instant,
    reporter: Reporter,
    /// Whether the input has ended.
    deaf: bool,
    typed: Typed,
    /// The pending command of the training, if any.
    awaited: Option<Awaited>,
}

/// How the completion of a command is detected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Awaited {
    Rest,
    Change,
}

/// How the completion of this command is detected, if it can be.
fn awaited(order: &TrainingCommand) -> Option<Awaited> {
    match order {
        TrainingCommand::Set(_) => Some(Awaited::Change),
        TrainingCommand::Forget(_) | TrainingCommand::Stop | TrainingCommand::Pause => None,
        _ => Some(Awaited::Rest),
    }
}

impl Narrator<'_> {
    fn run(&mut self, inbox: &Receiver<PlainEvent>) -> io::Result<u8> {
        loop {
            let wake = match inbox.recv_timeout(PAUSE) {
                Ok(wake) => Some(wake),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => return Ok(1),
            };
            match wake {
                Some(PlainEvent::Line(line)) => {
                    self.listen_first()?;
                    if let Some(code) = self.hear(line.trim())? {
                        return Ok(code);
                    }
                }
                Some(PlainEvent::InputEnded) => self.deaf = true,
                Some(PlainEvent::News) | None => {}
            }
            let rests = self.look()?;
            if self.deaf && (rests || self.state.graph.session.failed.is_some()) {
                return Ok(u8::from(self.state.graph.session.failed.is_some()));
            }
        }
    }

    /// Commands need an open graph: input typed ahead waits.
    fn listen_first(&mut self) -> io::Result<()> {
        let early = |own: &Self| {
            own.state.graph.session.is_preparing()
                || (own.typed == Typed::Ahead && own.awaited.is_some())
        };
        while early(self) && self.state.graph.session.failed.is_none() && !self.worker.has_ended() {
            std::thread::sleep(Duration::from_millis(20));
            self.look()?;
        }
        Ok(())
    }

    fn say(&mut self, sentence: &str) -> io::Result<()> {
        writeln!(self.out, "{sentence}")?;
        self.out.flush()
    }

    /// Processes training events and prints what is relevant; returns whether
    /// training is paused or finished.
    fn look(&mut self) -> io::Result<bool> {
        let events: Vec<Event> = std::iter::from_fn(|| self.worker.poll()).collect();
        let snapshot = self.worker.snapshot();
        let heard = Heard::of(&self.state, &events);
        let done = |event: &Event| match event {
            Event::Phase(Phase::Paused | Phase::Finished) | Event::Failed(_) => true,
            Event::Changed { .. } => self.awaited == Some(Awaited::Change),
            _ => false,
        };
        if events.iter().any(done) {
            self.awaited = None;
        }
        self.tell(Message::Tick(self.start.elapsed()))?;
        self.tell(Message::News { events, snapshot })?;
        for sentence in self.reporter.news(&self.state, heard) {
            self.say(&sentence)?;
        }
        self.say_notice()?;
        Ok(self.state.graph.session.phase.is_some_and(is_resting))
    }

    fn say_notice(&mut self) -> io::Result<()> {
        if let Some(notice) = self.reporter.notice(&self.state) {
            self.say(&notice)?;
        }
        StateChange::Dismissed.apply(&mut self.state);
        Ok(())
    }

    /// Processes a message and its effects; returns the exit code if that ends the
    /// program.
    fn tell(&mut self, message: Message) -> io::Result<Option<u8>> {
        let effects = update(&mut self.state, message);
        self.act(effects)
    }

    fn act(&mut self, effects: Vec<Effect>) -> io::Result<Option<u8>> {
        for effect in effects {
            match effect {
                Effect::Train(order) => {
                    self.awaited = awaited(&order).or(self.awaited);
                    self.worker.send(order);
                }
                Effect::Ask(question) => {
                    for answer in question.answers() {
                        self.tell(answer)?;
                    }
                }
                Effect::Picture(path, overwrite) => {
                    let written = shot::write(&self.state, (120, 40), &path, overwrite);
                    let written = written.map(|()| path);
                    self.tell(Message::Written(written))?;
                }
                Effect::Copy(Clip::Text(_, text)) => self.say(text.trim_end())?,
                // Plain text is read as it comes; a notification would add nothing.
                Effect::Notify(_) => {}
                Effect::Interrupt => self.worker.interrupt(),
                Effect::Quit => return Ok(Some(0)),
                _ => self.say("This command needs the screen: start without --plain.")?,
            }
        }
        Ok(None)
    }

    /// Runs a typed line.
    fn hear(&mut self, line: &str) -> io::Result<Option<u8>> {
        if let Some(Layer::Prompt(_, typed)) = self.state.layers.last_mut() {
            *typed = TextInput::new(line);
            let effects = choose(&mut self.state);
            return self.after(effects);
        }
        let words = line.to_lowercase();
        match words.as_str() {
            "" | "status" => {
                let sentence = epoch_sentence(&self.state);
                self.say(&sentence)?;
                return Ok(None);
            }
            "help" | "?" => return self.help().map(|()| None),
            "filter" | "node" | "lab" => {
                let sentence = match words.as_str() {
                    "filter" => filter_sentence(&self.state),
                    "node" => node_sentences(&self.state),
                    _ => lab_sentences(&self.state),
                };
                self.say(&sentence)?;
                return Ok(None);
            }
            "settings" => return self.settings().map(|()| None),
            _ => {}
        }
        if let Some(name) = words.strip_prefix("preset ") {
            return self.preset(name.trim());
        }
        if words.starts_with("node ") {
            return self.node(line["node ".len()..].trim());
        }
        if let Some(number) = words.strip_prefix("run ") {
            return self.answer_to("run-epochs", number);
        }
        if let Some(number) = words.strip_prefix("go to ") {
            return self.answer_to("go-to-epoch", number);
        }
        let name = words.replace(' ', "-");
        if let Some(command) = Command::named(&name) {
            if !command.applies(&self.state) {
                self.say(&format!("{name} is not available now."))?;
                return Ok(None);
            }
            let effects = command.carry_out(&mut self.state);
            return self.after(effects);
        }
        let search = Search { query: TextInput::new(line), chosen: 0 };
        if let Some((key, value)) = search.assignment() {
            let effects = super::changes::assign(&mut self.state, key, value);
            return self.after(effects);
        }
        let nearest = nearest(&name, command_names());
        self.say(&format!("Unknown command {line}. Did you mean {nearest}?"))?;
        Ok(None)
    }

    /// Runs a command that opens a prompt, and answers it with a line.
    fn answer_to(&mut self, command: &str, line: &str) -> io::Result<Option<u8>> {
        let Some(command) = Command::named(command) else { return Ok(None) };
        let effects = command.carry_out(&mut self.state);
        self.act(effects)?;
        self.hear(line)
    }

    /// Performs the effects of a command and prints its results.
    fn after(&mut self, effects: Vec<Effect>) -> io::Result<Option<u8>> {
        let code = self.act(effects)?;
        // Requests made by the state, such as those of the lab or a node.
        self.tell(Message::Tick(self.start.elapsed()))?;
        self.say_notice()?;
        if let Some(sentence) = self.reporter.screen(&self.state) {
            self.say(&sentence)?;
        }
        let open = match self.state.layers.last() {
            Some(Layer::Prompt(prompt, _)) => Some(format!("{}?", prompt.question())),
            Some(Layer::Presets(_)) => {
                let names: Vec<String> =
                    presets(&self.state).into_iter().map(|(name, _)| name).collect();
                Some(format!("Type preset and one of: {}.", names.join(", ")))
            }
            Some(Layer::What(what)) => what.shown().map(|own| {
                format!("{}. {} {}", own.title, own.text, own.formula).trim_end().to_owned()
            }),
            Some(_) => Some("Type help for a list of commands.".to_owned()),
            None => None,
        };
        if let Some(open) = open {
            if !matches!(self.state.layers.last(), Some(Layer::Prompt(..))) {
                self.state.layers.clear();
            }
            self.say(&open)?;
        }
        if self.state.graph.panel.draft.is_some() {
            self.say("Restart to apply: type restart-with-changes or drop-changes.")?;
        }
        Ok(code)
    }

    /// Opens a node by id or name, and prints its explanation.
    fn node(&mut self, text: &str) -> io::Result<Option<u8>> {
        let graph =
            self.state.graph.session.ready.as_ref().map(|ready| ready.prepared.graph.clone());
        let Some(node) = graph.and_then(|graph| named(&graph, text)) else {
            self.say(&format!("No node has the id or name {text}."))?;
            return Ok(None);
        };
        let effects = open_node(&mut self.state, node);
        self.state.screen = Screen::Node;
        self.reporter.has_described(Screen::Node);
        self.act(effects)?;
        self.tell(Message::Tick(self.start.elapsed()))?;
        let sentence = node_sentences(&self.state);
        self.say(&sentence)?;
        Ok(None)
    }

    fn preset(&mut self, name: &str) -> io::Result<Option<u8>> {
        let place = presets(&self.state).iter().position(|(own, _)| own == name);
        let Some(place) = place else {
            self.say(&format!("Unknown preset {name}."))?;
            return Ok(None);
        };
        self.state.layers.push(Layer::Presets(place));
        let effects = choose(&mut self.state);
        self.after(effects)
    }

    fn help(&mut self) -> io::Result<()> {
        self.say(
            "status, or an empty line: training progress. filter: the learned filter in words. \
             node and an id or name: its contributors and prediction. lab: the open experiment. \
             settings: all settings. A setting and a value, such as balance 3, changes it. \
             run 50 trains 50 epochs; go to 20 goes to epoch 20; preset paper applies a preset.",
        )?;
        let lines: Vec<String> = TABLE
            .iter()
            .filter(|command| command.applies(&self.state))
            .map(|command| format!("{}: {}", command.name, command.what))
            .collect();
        self.say(&lines.join("\n"))
    }

    fn settings(&mut self) -> io::Result<()> {
        let settings = self.state.shown_settings();
        let lines: Vec<String> = crate::model::settings::TABLE
            .iter()
            .map(|own| format!("{} is {}.", own.key, (own.get)(settings)))
            .collect();
        self.say(&lines.join("\n"))
    }
}
