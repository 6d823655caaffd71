//! A graph is opened, or a lesson; what a person made is written.

use std::path::Path;
use std::sync::atomic::Ordering;

use super::{Explorer, Wake};
use crate::files::write_atomically;
use crate::folders;
use crate::lab::lessons::Lesson;
use crate::train::run::{Left, RunFolder, shelved};
use crate::tui::launch::{Described, Learn};
use crate::tui::layers::Cut;
use crate::tui::message::Message;
use crate::tui::opening::{Begin, Opening};
use crate::tui::picker::Picker;
use crate::tui::runs::age;
use crate::tui::{learning, recent};

impl Explorer {
    /// Opens what the explorer is started with, or lets a person choose.
    pub(super) fn open_first(&mut self) {
        let learn = self.launch.learn.take();
        if let Some(Learn::Lesson(lesson)) = learn {
            learning::begin(&mut self.state, (*lesson).clone());
            self.open_lesson(&lesson);
        } else if let Some(described) = self.launch.described.take() {
            self.open_described(&described);
        } else if let Some(path) = self.launch.path.clone() {
            self.open(&path);
        } else {
            self.state.picker = Some(Picker::find());
            if learn.is_some() {
                learning::shelf(&mut self.state, None);
            }
        }
    }

    pub(super) fn open(&mut self, path: &Path) {
        tracing::info!(path = %path.display(), "opening");
        // The run before is kept before another takes its place.
        self.keep();
        self.described = None;
        let opening = self.launch.open(path);
        self.start(path, opening);
    }

    /// Opens a moment of a run.
    pub(super) fn open_described(&mut self, described: &Described) {
        tracing::info!(line = %described.line, "opening");
        self.keep();
        self.described = Some(described.line.clone());
        let opening = self.launch.open_described(described);
        self.start(&described.path, opening);
    }

    fn start(&mut self, path: &Path, opening: Result<Opening, String>) {
        let wake = self.waker();
        // A lesson goes with its own graph.
        learning::close(&mut self.state);
        let opened = opening.and_then(|opening| {
            let begin = self.launch.begin(self.launch.paused, folders::runs());
            // A question that depends on this machine has no place in a recording.
            let is_shared = self.launch.record.is_some() || self.player.is_some();
            let cut = if is_shared { None } else { cut_off(&opening, &begin) };
            let head = self.head_of(&opening);
            Ok((opening.start(&mut self.state, begin, wake)?, cut, head))
        });
        match opened {
            Ok((worker, cut, head)) => {
                self.worker = Some(worker);
                recent::remember(path);
                if let Some(head) = head {
                    self.record_opened(head);
                }
                if let Some(cut) = cut {
                    let _ = self.sender.send(Wake::Message(Message::CutOff(cut)));
                }
            }
            Err(why) => {
                let picker = self.state.picker.get_or_insert_with(Picker::find);
                picker.trouble = Some(why);
            }
        }
    }

    /// Opens the graph of a lesson. Its run is practice and is not kept.
    pub(super) fn open_lesson(&mut self, lesson: &Lesson) {
        tracing::info!(lesson = %lesson.id, "opening");
        let wake = self.waker();
        self.keep();
        self.described = None;
        let opened = self.launch.open_lesson(lesson).and_then(|opening| {
            let begin = self.launch.begin(lesson.paused, None);
            opening.start(&mut self.state, begin, wake)
        });
        match opened {
            Ok(worker) => {
                self.worker = Some(worker);
                self.state.session.is_practice = true;
            }
            Err(why) => {
                learning::close(&mut self.state);
                let picker = self.state.picker.get_or_insert_with(Picker::find);
                picker.trouble = Some(why);
            }
        }
    }

    /// What the training thread calls when it has something to tell.
    fn waker(&self) -> impl Fn() + Send + 'static {
        let (sender, news) = (self.sender.clone(), self.news.clone());
        move || {
            if !news.swap(true, Ordering::SeqCst) {
                let _ = sender.send(Wake::News);
            }
        }
    }

    pub(super) fn save_preset(&mut self, name: &str, text: &str) {
        let Some(folder) = &self.launch.presets else {
            self.state.notices.fail("no folder for presets on this machine");
            return;
        };
        let path = folder.join(format!("{name}.toml"));
        let written = std::fs::create_dir_all(folder)
            .and_then(|()| write_atomically(&path, |out| out.write_all(text.as_bytes())));
        match written {
            Ok(()) => {
                let said = format!("kept: --preset {}", path.display());
                self.state.notices.say(said, self.state.now);
            }
            Err(error) => self.state.notices.fail(format!("{}: {error}", path.display())),
        }
    }
}

/// The newest run of a graph that a crash cut off, unless a moment of a run was
/// asked for.
fn cut_off(opening: &Opening, begin: &Begin) -> Option<Cut> {
    if opening.leads_somewhere() {
        return None;
    }
    let runs = shelved(&opening.shelf(begin.shelves.as_deref()?));
    let run = runs.into_iter().find(|run| run.left == Left::Crashed)?;
    let epoch = RunFolder::checkpoint(&run.path).filter(|epoch| *epoch > 0)?;
    Some(Cut { path: run.path, epoch, ago: age(run.at) })
}
