//! `gesf-tui learn --hand-in` and `--class`: what a learner hands in, and what a
//! folder of hand-ins says about the class.

use std::io::Write;
use std::path::Path;

use anyhow::bail;

use super::open::{LookArgs, ViewArgs};
use super::paint::{FAINT, HEADING, TITLE, fitted, styled};
use crate::lab::lessons::{
    self, DoneStep, HandIn, Lesson, LessonProgress, LessonStanding, class_steps,
};
use crate::tui::{Chord, Depth, repeat_lesson};

/// Writes the saved progress as a hand-in.
pub(super) fn write(path: &Path, name: &str, out: &mut dyn Write) -> anyhow::Result<()> {
    let (progress, trouble) = LessonProgress::load();
    if let Some(trouble) = trouble {
        return Err(trouble.into());
    }
    let hand_in = HandIn::of(&progress, name, env!("CARGO_PKG_VERSION"));
    if hand_in.lessons.is_empty() {
        bail!("no lesson was started yet\n  help: `gesf-tui learn` lists the lessons");
    }
    hand_in.write(path)?;
    let steps: usize = hand_in.lessons.values().map(|own| own.done.len()).sum();
    let answers: usize = hand_in.lessons.values().map(|own| own.answers.len()).sum();
    let lessons = hand_in.lessons.len();
    writeln!(out, "{}: {lessons} lessons, {steps} steps, {answers} answers", path.display())?;
    Ok(())
}

/// Shows which step stopped how many, and with `replay` whether the keys of each
/// hand-in complete the steps again.
pub(super) fn class(
    folder: &Path,
    look: &LookArgs,
    replay: bool,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let (class, faults) = HandIn::read_all(folder)?;
    for fault in &faults {
        writeln!(out, "skipped: {fault}")?;
    }
    if class.is_empty() {
        bail!(
            "{}: no hand-in found, expected .toml files\n  help: `gesf-tui learn --hand-in FILE` writes one",
            folder.display()
        );
    }
    writeln!(out, "{}", styled(TITLE, format!("Class of {}", class.len())))?;
    let all = lessons::all()?;
    for lesson in &all {
        let started = class.iter().filter(|own| own.lessons.contains_key(&lesson.id)).count();
        if started > 0 {
            table(lesson, &class, started, out)?;
        }
    }
    if replay {
        repeat(&all, &class, look, out)?;
    }
    Ok(())
}

fn table(
    lesson: &Lesson,
    class: &[HandIn],
    started: usize,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let heading = styled(HEADING, format!("\n{}", lesson.title));
    writeln!(out, "{heading} {}", styled(FAINT, format!("{}, started by {started}", lesson.id)))?;
    let columns = "done  stopped  too early  right answers";
    writeln!(out, "   {} {}", fitted("step", 34), styled(FAINT, columns))?;
    for (at, (step, own)) in lesson.steps.iter().zip(class_steps(lesson, class)).enumerate() {
        let title = fitted(&format!("{}. {}", at + 1, step.title), 34);
        let answers = match own.answers {
            0 => "-".to_owned(),
            all => format!("{} of {all}", own.right),
        };
        let names = own.names.join(", ");
        let line = format!(
            "   {title} {:>4}  {:>7}  {:>9}  {answers:>13}  {names}",
            own.done, own.stopped, own.refused
        );
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

/// Presses the keys of each hand-in again and counts the steps they complete.
fn repeat(
    all: &[Lesson],
    class: &[HandIn],
    look: &LookArgs,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let view = ViewArgs::of_look(look);
    let launch = view.launch(None, Depth::None)?;
    writeln!(out, "{}", styled(HEADING, "\nReplayed"))?;
    for (at, hand_in) in class.iter().enumerate() {
        let who = match hand_in.name.as_str() {
            "" => format!("hand-in {}", at + 1),
            name => name.to_owned(),
        };
        for lesson in all {
            let Some(standing) = hand_in.lessons.get(&lesson.id) else { continue };
            let said = match keys_of(standing) {
                Ok(keys) => match repeat_lesson(&launch, lesson, &keys) {
                    Ok(done) if done >= standing.done.len() => format!("{done} steps confirmed"),
                    Ok(done) => format!("{done} of {} steps confirmed", standing.done.len()),
                    Err(why) => format!("not replayed: {why}"),
                },
                Err(why) => format!("not replayed: {why}"),
            };
            writeln!(out, "   {} {} {said}", fitted(&who, 20), fitted(&lesson.id, 22))?;
        }
    }
    Ok(())
}

/// The keys of each step of a lesson, in order.
fn keys_of(standing: &LessonStanding) -> Result<Vec<(usize, Vec<Chord>)>, String> {
    let key = |word: &str| match word {
        "mouse" => Err("the mouse was used".to_owned()),
        key => key.parse(),
    };
    let keys = |own: &DoneStep| {
        let keys: Result<_, String> = own.keys.split_whitespace().map(key).collect();
        Ok((own.step, keys?))
    };
    standing.done.iter().map(keys).collect()
}
