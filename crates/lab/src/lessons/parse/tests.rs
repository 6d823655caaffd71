//! The parser: what it reads, and how it reports errors.

use super::*;
use crate::lessons::{Expected, NumberFrom};
use proptest::prelude::*;

const GOOD: &str = r#"id = "mine"
title = "Mine"
about = "A lesson."
graph = "karate"
minutes = 3

[settings]
epochs = 50
self_term = "keep"

[[step]]
title = "One"
text = "Read this."
screen = "lab"
experiment = "shuffle"
controls = ["shuffle", "epochs"]
task = "Shuffle."
check = ["shuffles >= 2", "experiment = shuffle"]
done = "Well done."
"#;

fn said(from: &str, to: &str) -> String {
    assert!(GOOD.contains(from), "{from}");
    let text = GOOD.replacen(from, to, 1);
    parse(&text, "mine.toml", &["shuffle", "swap"]).unwrap_err().to_string()
}

#[test]
fn a_complete_file_is_read() {
    let lesson = parse(GOOD, "mine.toml", &["shuffle"]).unwrap();
    assert_eq!((lesson.id.as_str(), lesson.minutes, lesson.paused), ("mine", 3, true));
    assert_eq!(lesson.speed, None);
    assert_eq!(lesson.settings[0], ("epochs".to_owned(), "50".to_owned()));
    assert_eq!(lesson.steps[0].experiment.as_deref(), Some("shuffle"));
    assert_eq!(lesson.steps[0].check.len(), 2);
}

#[test]
fn errors_name_their_line_and_the_nearest_valid_value() {
    let cases = [
        ("title = \"Mine\"", "titel = \"Mine\"", "mine.toml, line 2: unknown key `titel`"),
        ("title = \"Mine\"", "titel = \"Mine\"", "`title`"),
        ("title = \"Mine\"\n", "", "line 1: the lesson has no `title`"),
        ("\"karate\"", "\"karat\"", "line 4: graph: found `karat`"),
        ("\"karate\"", "\"../x.gml\"", "line 4: graph: found `../x.gml`, expected a path inside"),
        ("\"karate\"", "\"/etc/x.gml\"", "line 4: graph: found `/etc/x.gml`"),
        ("minutes = 3", "minutes = 0", "line 5: minutes"),
        ("minutes = 3", "minutes = \"x\"", "line 5: minutes"),
        ("minutes = 3", "minutes = = 3", "line 5: "),
        ("epochs = 50", "epoch = 50", "line 8: unknown setting `epoch`"),
        ("\"keep\"", "\"kep\"", "line 9: self_term: found `kep`"),
        ("\"lab\"", "\"lap\"", "line 14: screen: found `lap`"),
        ("\"lab\"", "\"map\"", "line 15: `experiment` needs the lab"),
        ("experiment = \"shuffle\"\n", "", "line 14: the lab screen needs"),
        ("experiment = \"shuffle\"\n", "experiment = \"shufle\"\n", "`shuffle`"),
        ("[\"shuffle\", \"epochs\"]", "[\"shuffle\",\n\"swop\"]", "line 17: controls"),
        ("[\"shuffle\", \"epochs\"]", "3", "line 16: controls: found integer"),
        ("shuffles >= 2", "shufles >= 2", "line 18: check"),
        ("shuffles >= 2", "shuffles >= 0", "line 18: check"),
        (
            "check = [\"shuffles >= 2\", \"experiment = shuffle\"]\n",
            "",
            "line 11: the step has no `check`",
        ),
        ("done = \"Well done.\"", "done = \" \"", "line 19: done"),
        ("\"Well done.\"", "\"Now {los}.\"", "line 19: done: unknown fact `{los}`"),
        ("\"Well done.\"", "\"Now {los}.\"", "`{loss}`"),
        ("id = \"mine\"", "id = \"My lesson\"", "line 1: id"),
    ];
    for (from, to, expected) in cases {
        let found = said(from, to);
        assert!(found.contains(expected), "expected {expected:?} in {found:?}");
    }
    let none = parse("id = \"a\"\ntitle=\"b\"\nabout=\"c\"\ngraph=\"d.gml\"\n", "f", &[]);
    assert!(none.unwrap_err().what.contains("no `step`"));
}

/// The lesson with lines added to its step.
fn with(lines: &str) -> Result<Lesson, String> {
    let text = format!("{GOOD}{lines}\n");
    parse(&text, "mine.toml", &["shuffle"]).map_err(|error| error.to_string())
}

#[test]
fn a_step_can_ask_for_a_choice_or_a_number() {
    let question = |lines: &str| with(lines).unwrap().steps[0].question.clone().unwrap();
    let one = question("ask = \"Does it?\"\nchoices = [\"yes\", \"no\"]\nanswer = 2");
    let other = question("ask = \"Does it?\"\nchoices = [\"yes\", \"no\"]\nanswer = \"no\"");
    assert_eq!(one, other);
    assert_eq!(one.choices(), ["yes", "no"]);
    let fact = question("ask = \"How much?\"\nanswer = \"test_accuracy\"\nwithin = 0.1");
    let from = NumberFrom::Fact("test_accuracy".to_owned());
    assert_eq!(fact.expected, Expected::Number { from, within: 0.1 });
    let number = question("ask = \"How many?\"\nanswer = 3\nwithin = 0");
    let from = NumberFrom::Lesson(3.0);
    assert_eq!(number.expected, Expected::Number { from, within: 0.0 });
}

#[test]
fn errors_in_questions_name_their_line_and_suggest() {
    let cases = [
        ("choices = [\"a\", \"b\"]", "line 20: `choices` needs a question"),
        ("answer = 3", "line 20: `answer` needs a question"),
        ("ask = \"?\"", "line 11: the step has no `answer`"),
        ("ask = \"?\"\nanswer = \"test_acuracy\"", "line 21: answer: found `test_acuracy`"),
        ("ask = \"?\"\nanswer = \"test_acuracy\"", "did you mean `test_accuracy`?"),
        ("ask = \"?\"\nanswer = \"shuffles\"", "a fact that is a number"),
        ("ask = \"?\"\nanswer = true", "line 21: answer: expected a number or a fact"),
        ("ask = \"?\"\nanswer = 1\nwithin = -1", "line 22: within"),
        ("ask = \"?\"\nanswer = 1\nwithin = \"x\"", "line 22: within: found string"),
        ("ask = \"?\"\nchoices = [\"a\"]\nanswer = 1", "line 21: choices: expected 2 to 5"),
        ("ask = \"?\"\nchoices = [\"a\", \"a\"]\nanswer = 1", "different strings"),
        ("ask = \"?\"\nchoices = [\"a\", \"b\"]\nanswer = 3", "line 22: answer: expected a"),
        ("ask = \"?\"\nchoices = [\"near\", \"far\"]\nanswer = \"neer\"", "did you mean `near`?"),
        ("ask = \"?\"\nchoices = [\"a\", \"b\"]\nanswer = 1\nwithin = 2", "`within` needs"),
        ("graph = \"karat\"", "line 20: graph: found `karat`"),
        ("node = 3", "line 20: node: found integer, expected a string"),
        ("keys = \"a b\"", "line 20: `keys` is used in demos only"),
    ];
    for (lines, expected) in cases {
        let found = with(lines).unwrap_err();
        assert!(found.contains(expected), "expected {expected:?} in {found:?}");
    }
}

#[test]
fn a_step_can_have_its_own_graph_and_settings() {
    let lesson = with("graph = \"cora\"\nsettings = { labelled = 0.9 }").unwrap();
    let own = lesson.for_step(0);
    assert_eq!((own.graph.as_str(), own.settings.len()), ("cora", 3));
    assert!(!own.opens_as(&lesson));
    assert!(with("settings = { labeled = 0.9 }").unwrap_err().contains("line 20"));
}

#[test]
fn a_demo_has_notes_and_keys_instead_of_a_task() {
    let text = GOOD.replace("minutes = 3", "minutes = 3\ndemo = true");
    let refused = parse(&text, "d", &[]).unwrap_err().to_string();
    assert!(refused.contains("line 14: `text` is not used in a demo"), "{refused}");
    let from = text.find("[[step]]").unwrap();
    let step = "[[step]]\ntitle = \"a\"\nscreen = \"train\"\nnotes = \"b\"\n";
    let demo = format!("{}{step}keys = \"1 0 enter\"\npause = 2\n", &text[..from]);
    let demo = parse(&demo, "d", &[]).unwrap();
    let script = demo.steps[0].script.as_ref().unwrap();
    assert!(demo.is_demo && demo.steps[0].check.is_empty());
    assert_eq!((script.keys.len(), script.pause, script.line), (3, 2.0, 16));
    let slow = format!("{}{step}pause = 600\n", &text[..from]);
    assert!(parse(&slow, "d", &[]).unwrap_err().to_string().contains("line 16: pause"));
}

proptest! {
    #[test]
    fn no_file_makes_the_parser_panic(
        line in 0..20_usize, cut in 0..40_usize, noise in "[ -~é\\n]{0,12}",
    ) {
        let mut lines: Vec<String> = GOOD.lines().map(str::to_owned).collect();
        let line = line % lines.len();
        let cut = cut.min(lines[line].len());
        lines[line].replace_range(cut.., &noise);
        if let Err(error) = parse(&lines.join("\n"), "f", &["shuffle"]) {
            prop_assert!(error.line >= 1 && error.line <= lines.join("\n").matches('\n').count() + 1);
        }
    }
}
