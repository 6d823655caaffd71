//! Times a frame of the map, the overview and the filter, and the layouts of the map.
//!
//! `cargo bench --bench map -- sample_graphs/pubmed` opens the graph, computes its
//! layouts, and draws the map at 200 × 60 repeatedly.

use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use gesf_tui::graph::LoadOptions;
use gesf_tui::layout::{force, principal, spectral};
use gesf_tui::model::settings::preset;
use gesf_tui::spectral::{Cache, Cancel};
use gesf_tui::tui::{
    Appearance, Depth, Effect, Glyphs, GraphicsChoice, Home, Keymap, Launch, Message, Screen, Shot,
    State, draw, headless, update,
};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

#[global_allocator]
static ALLOCATOR: gesf_tui::memory::LargePages = gesf_tui::memory::LargePages;

const SIZE: (u16, u16) = (200, 60);
const FRAMES: usize = 300;

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let path = arguments.next().map_or_else(|| PathBuf::from("sample_graphs/cora"), PathBuf::from);
    let launch = Launch {
        path: None,
        options: LoadOptions::default(),
        settings: Box::new(|_| Ok(preset("recommended").unwrap_or_default())),
        cache: Cache::usual,
        paused: true,
        screen: Some(Screen::Train),
        notify: false,
        look: Appearance::new("dark", Glyphs::Braille, Depth::True),
        graphics: GraphicsChoice::Never,
        keymap: Keymap::default(),
        speed: None,
        presets: None,
        home: Home::of_user(),
        jobs: None,
        described: None,
        record: None,
        replay: None,
        learn: None,
        projector: false,
        notice: None,
        hint: None,
    };
    let keys = "f5".parse().into_iter().collect();
    let mut state = match headless(&launch, &path, &Shot { size: SIZE, epochs: 3, keys }) {
        Ok(state) => state,
        Err(why) => return eprintln!("{why}"),
    };
    layouts(&state);
    for (name, keys) in [
        ("all nodes, by label", ""),
        ("by confidence", "c c c"),
        ("a node under the cursor", "down"),
        ("zoomed to it, with edges and names", "+ + + + + + + +"),
        ("embeddings, by prediction", "esc X C C"),
        ("the overview", "O"),
        ("the filter, with the energy of the labels", "f"),
    ] {
        press(&mut state, keys);
        frames(name, &state);
    }
}

/// Presses keys and runs the jobs they request.
fn press(state: &mut State, keys: &str) {
    let messages = keys.split_whitespace().filter_map(|key| key.parse().ok().map(Message::Key));
    for message in messages {
        for effect in update(state, message) {
            let Effect::Ask(question) = effect else { continue };
            let answers = RefCell::new(Vec::new());
            question.answer(&Cancel::default(), &|message| answers.borrow_mut().push(message));
            for message in answers.into_inner() {
                update(state, message);
            }
        }
    }
}

fn frames(name: &str, state: &State) {
    let mut buffer = Buffer::empty(Rect::new(0, 0, SIZE.0, SIZE.1));
    let mut times: Vec<Duration> = (0..FRAMES)
        .map(|_| {
            let start = Instant::now();
            buffer.reset();
            draw(state, &mut buffer);
            start.elapsed()
        })
        .collect();
    times.sort();
    let ms = |time: Duration| 1e3 * time.as_secs_f64();
    let (median, late) = (ms(times[FRAMES / 2]), ms(times[FRAMES * 99 / 100]));
    println!("frame {name}: median {median:.2} ms, p99 {late:.2} ms");
}

fn layouts(state: &State) {
    let session = &state.graph.session;
    let (Some(ready), Some(snapshot)) = (&session.ready, &session.snapshot) else { return };
    let prepared = &ready.prepared;
    println!("{} nodes, {} edges", prepared.graph.node_count(), prepared.graph.edge_count());
    let start = Instant::now();
    let mut told = Vec::new();
    force(&prepared.graph, 0, &Cancel::default(), &mut |refined| {
        told.push((start.elapsed().as_secs_f64(), refined.done));
    });
    let at = |done: usize| told.iter().find(|(_, own)| *own >= done).map_or(0.0, |own| own.0);
    let end = told.last().map_or(0.0, |own| own.0);
    println!(
        "force: start {:.2} s, 20 steps {:.2} s, 60 steps {:.2} s, end {end:.2} s",
        at(0),
        at(20),
        at(60)
    );
    let start = Instant::now();
    let places = spectral(&prepared.graph, prepared.spectrum.as_deref(), prepared.matrix.kind());
    println!("spectral: {:.3} s, {}", start.elapsed().as_secs_f64(), places.is_ok());
    let start = Instant::now();
    let first = Arc::new(principal(&snapshot.state, &ready.groups, None));
    let first_time = start.elapsed().as_secs_f64();
    let start = Instant::now();
    principal(&snapshot.state, &ready.groups, Some(&first));
    let next = start.elapsed().as_secs_f64();
    println!("embeddings: {:.1} ms, turned {:.1} ms", 1e3 * first_time, 1e3 * next);
}
