//! Pictures in a real pseudo-terminal: what is sent is decoded, and terminals that
//! display none are sent none.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use portable_pty::{Child, CommandBuilder, PtySize, native_pty_system};

const PATIENCE: Duration = Duration::from_secs(20);
const SIZE: (u16, u16) = (100, 30);
/// Pixels of a cell.
const CELL: (u16, u16) = (9, 18);

/// Questions to a terminal and its answers.
type Answers = &'static [(&'static str, &'static str)];

const KITTY: Answers = &[
    ("\x1b[16t", "\x1b[6;18;9t"),
    ("\x1b[>q", "\x1bP>|kitty(0.40.0)\x1b\\"),
    ("a=q", "\x1b_Gi=31;OK\x1b\\"),
    ("\x1b[c", "\x1b[?62;c"),
];
const XTERM: Answers = &[
    ("\x1b[16t", "\x1b[6;18;9t"),
    ("\x1b[>q", "\x1bP>|XTerm(390)\x1b\\"),
    ("\x1b[c", "\x1b[?64;4;22c"),
];
const ITERM: Answers = &[("\x1b[>q", "\x1bP>|iTerm2 3.5.0\x1b\\"), ("\x1b[c", "\x1b[?62;4c")];
const SILENT: Answers = &[];

/// A picture: width, height, and red, green, blue and opacity of every pixel.
struct Image {
    width: usize,
    height: usize,
    pixels: Vec<[u8; 4]>,
}

impl Image {
    fn opaque(&self) -> usize {
        self.pixels.iter().filter(|pixel| pixel[3] == 255).count()
    }

    /// Pixels near a colour.
    fn like(&self, colour: [u8; 3]) -> usize {
        let near =
            |pixel: &&[u8; 4]| pixel[3] > 200 && (0..3).all(|n| pixel[n].abs_diff(colour[n]) <= 6);
        self.pixels.iter().filter(near).count()
    }
}

/// The program in a pseudo-terminal that answers questions.
struct Session {
    writer: Arc<Mutex<Box<dyn Write + Send>>>,
    sent: Arc<Mutex<Vec<u8>>>,
    screen: Arc<Mutex<vt100::Parser>>,
    child: Box<dyn Child + Send + Sync>,
    _home: tempfile::TempDir,
}

impl Session {
    fn open(arguments: &[&str], answers: Answers, variables: &[(&str, &str)]) -> Self {
        let home = tempfile::tempdir().unwrap();
        let (cols, rows) = SIZE;
        let (pixel_width, pixel_height) = (cols * CELL.0, rows * CELL.1);
        let size = PtySize { rows, cols, pixel_width, pixel_height };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_gesf-tui"));
        command.args(["sample_graphs/karate", "--paused", "--screen", "train", "--theme", "dark"]);
        command.args(arguments);
        command.cwd(env!("CARGO_MANIFEST_DIR"));
        for name in ["TMUX", "STY", "ZELLIJ", "SSH_TTY", "SSH_CONNECTION", "NO_COLOR"] {
            command.env_remove(name);
        }
        let usual = [("TERM", "xterm"), ("COLORTERM", "truecolor"), ("LANG", "C.UTF-8")];
        for (name, value) in usual.iter().chain(&[("LC_ALL", "")]).chain(variables) {
            command.env(name, value);
        }
        for name in ["GESF_CACHE_DIR", "GESF_CONFIG_DIR", "GESF_DATA_DIR"] {
            command.env(name, home.path());
        }
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let writer = Arc::new(Mutex::new(pair.master.take_writer().unwrap()));
        let sent = Arc::new(Mutex::new(Vec::new()));
        let screen = Arc::new(Mutex::new(vt100::Parser::new(rows, cols, 0)));
        let mut reader = pair.master.try_clone_reader().unwrap();
        let (out, all, shared) = (writer.clone(), sent.clone(), screen.clone());
        std::thread::spawn(move || {
            // The terminal stays open as long as somebody reads.
            let _master = pair.master;
            let mut bytes = vec![0; 1 << 16];
            let mut answered = 0;
            while let Ok(count @ 1..) = reader.read(&mut bytes) {
                shared.lock().unwrap().process(&bytes[..count]);
                let mut all: std::sync::MutexGuard<Vec<u8>> = all.lock().unwrap();
                all.extend_from_slice(&bytes[..count]);
                // Each round of questions ends with the attributes.
                let text = String::from_utf8_lossy(&all[answered..]).into_owned();
                if let Some((asked, _)) = text.rsplit_once("\x1b[c") {
                    let asked = format!("{asked}\x1b[c");
                    let known = answers.iter().filter(|(question, _)| asked.contains(question));
                    let reply: String = known.map(|(_, answer)| *answer).collect();
                    answered = all.len();
                    let mut out = out.lock().unwrap();
                    out.write_all(reply.as_bytes()).unwrap();
                    out.flush().unwrap();
                }
            }
        });
        Self { writer, sent, screen, child, _home: home }
    }

    fn send(&self, keys: &str) {
        let mut writer = self.writer.lock().unwrap();
        writer.write_all(keys.as_bytes()).unwrap();
        writer.flush().unwrap();
    }

    /// Everything sent since a position.
    fn since(&self, start: usize) -> String {
        String::from_utf8_lossy(&self.sent.lock().unwrap()[start..]).into_owned()
    }

    fn position(&self) -> usize {
        self.sent.lock().unwrap().len()
    }

    fn until(&self, what: &str, holds: impl Fn() -> bool) {
        let start = Instant::now();
        while !holds() {
            let text = self.screen.lock().unwrap().screen().contents();
            assert!(start.elapsed() < PATIENCE, "{what}:\n{text}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn until_shown(&self, text: &str) {
        self.until(text, || self.screen.lock().unwrap().screen().contents().contains(text));
    }

    /// Trains, so that there are curves, and waits for their pictures.
    fn trained(&self, picture: &str) {
        self.trained_until(|sent| sent.contains(picture));
    }

    fn trained_until(&self, drawn: impl Fn(&str) -> bool) {
        self.until_shown("paused");
        let start = self.position();
        self.send("25\r");
        self.until_shown("epoch 25/450");
        self.until("a picture", || drawn(&self.since(start)));
        std::thread::sleep(Duration::from_millis(200));
    }

    fn quit(mut self) -> String {
        self.send("q");
        let start = Instant::now();
        while self.child.try_wait().unwrap().is_none() {
            assert!(start.elapsed() < PATIENCE, "it does not end");
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_millis(50));
        self.since(0)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.child.kill();
    }
}

/// The pictures of kitty's protocol by number, the latest of each.
fn kitty_images(text: &str) -> BTreeMap<usize, Image> {
    let mut found = BTreeMap::new();
    let mut open: Option<(BTreeMap<String, String>, String)> = None;
    for part in text.split("\x1b_G").skip(1) {
        // The last part may still be on its way.
        let Some((body, _)) = part.split_once("\x1b\\") else { break };
        let (keys, data) = body.split_once(';').unwrap_or((body, ""));
        let keys: BTreeMap<String, String> = keys
            .split(',')
            .filter_map(|pair| pair.split_once('='))
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .collect();
        assert!(data.len() <= 4096);
        if keys.get("a").is_some_and(|own| own == "T") {
            open = Some((keys.clone(), String::new()));
        } else if keys.contains_key("a") {
            continue;
        }
        let Some((head, letters)) = &mut open else { continue };
        letters.push_str(data);
        if keys.get("m").is_some_and(|more| more == "0") {
            let number = |key: &str| head[key].parse::<usize>().unwrap();
            assert_eq!(
                (head["f"].as_str(), head["o"].as_str(), head["q"].as_str()),
                ("32", "z", "2")
            );
            let (width, height) = (number("s"), number("v"));
            assert_eq!(width, number("c") * usize::from(CELL.0));
            assert_eq!(height, number("r") * usize::from(CELL.1));
            let packed = STANDARD.decode(&letters).unwrap();
            let mut bytes = Vec::new();
            flate2::read::ZlibDecoder::new(&packed[..]).read_to_end(&mut bytes).unwrap();
            assert_eq!(bytes.len(), width * height * 4);
            let pixels = bytes.chunks(4).map(|own| own.try_into().unwrap()).collect();
            found.insert(number("i"), Image { width, height, pixels });
            open = None;
        }
    }
    found
}

/// Decodes sixel data: colours, repeats, line starts and bands.
fn sixel_image(data: &str) -> Image {
    let data = data.strip_prefix("\"1;1;").unwrap();
    let size = data.find('#').unwrap();
    let mut numbers = data[..size].split(';').map(|own| own.parse::<usize>().unwrap());
    let (width, height) = (numbers.next().unwrap(), numbers.next().unwrap());
    let mut pixels = vec![[0; 4]; width * height];
    let mut palette: BTreeMap<usize, [u8; 4]> = BTreeMap::new();
    let (mut x, mut band, mut colour) = (0, 0, 0);
    let mut letters = data[size..].chars().peekable();
    while let Some(letter) = letters.next() {
        let mut number = || {
            let mut value = 0;
            while let Some(digit) = letters.peek().and_then(|own| own.to_digit(10)) {
                value = 10 * value + digit as usize;
                letters.next();
            }
            value
        };
        match letter {
            '#' => {
                colour = number();
                if letters.next_if_eq(&';').is_some() {
                    let mut parts = [0; 4];
                    for (at, part) in parts.iter_mut().enumerate() {
                        let mut value = 0;
                        while let Some(digit) = letters.peek().and_then(|own| own.to_digit(10)) {
                            value = 10 * value + digit;
                            letters.next();
                        }
                        *part = value;
                        if at < 3 {
                            assert_eq!(letters.next(), Some(';'));
                        }
                    }
                    assert_eq!(parts[0], 2, "red, green, blue");
                    let [red, green, blue] = [1, 2, 3].map(|n| ((parts[n] * 255 + 50) / 100) as u8);
                    palette.insert(colour, [red, green, blue, 255]);
                }
            }
            '$' => x = 0,
            '-' => (x, band) = (0, band + 1),
            _ => {
                let (count, letter) = match letter {
                    '!' => {
                        let count = number();
                        (count, letters.next().unwrap())
                    }
                    own => (1, own),
                };
                let bits = letter as u32 - 63;
                for _ in 0..count {
                    for row in (0..6).filter(|row| bits & 1 << row != 0) {
                        pixels[(band * 6 + row) * width + x] = palette[&colour];
                    }
                    x += 1;
                }
            }
        }
    }
    Image { width, height, pixels }
}

/// The first curve of the dark theme.
fn curve_colour() -> [u8; 3] {
    let theme: toml::Value =
        toml::from_str(&std::fs::read_to_string("assets/themes/dark.toml").unwrap()).unwrap();
    let hex = theme["curves"][0].as_str().unwrap().trim_start_matches('#').to_owned();
    [0, 2, 4].map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap())
}

fn assert_is_plot(image: &Image) {
    assert!(
        image.width.is_multiple_of(usize::from(CELL.0))
            && image.height.is_multiple_of(usize::from(CELL.1))
    );
    assert!(image.width > 40 * usize::from(CELL.0), "{}", image.width);
    assert!(image.opaque() > 200, "{} pixels drawn", image.opaque());
    assert!(image.opaque() * 5 < image.pixels.len(), "most of it is transparent");
}

#[test]
fn a_terminal_like_kitty_is_sent_pictures_that_follow_the_screen() {
    let session = Session::open(&[], KITTY, &[]);
    session.trained("\x1b_Ga=T");
    let images = kitty_images(&session.since(0));
    assert_eq!(images.len(), 2, "the loss and the score");
    images.values().for_each(assert_is_plot);
    assert!(images.values().next().unwrap().like(curve_colour()) > 50);
    // No character of a curve is left where pictures are.
    let text = session.screen.lock().unwrap().screen().contents();
    assert!(!text.chars().any(|own| ('\u{2801}'..='\u{28ff}').contains(&own)), "{text}");
    // A dialog covers a part of them.
    let start = session.position();
    session.send("?");
    session.until_shown("type to search; enter");
    session.until("a picture", || !kitty_images(&session.since(start)).is_empty());
    let covered = kitty_images(&session.since(start));
    for (number, image) in &covered {
        assert!(image.opaque() < images[number].opaque(), "less of picture {number} is left");
    }
    session.send("\x1b");
    session.until("uncovered", || {
        let now = kitty_images(&session.since(start));
        now.iter().all(|(number, image)| image.opaque() == images[number].opaque())
    });
    // Nothing is sent while nothing changes.
    std::thread::sleep(Duration::from_millis(300));
    let start = session.position();
    std::thread::sleep(Duration::from_millis(500));
    assert!(!has_graphics(&session.since(start)));
    // Another screen deletes them.
    session.send("b");
    session.until("deleted", || session.since(start).matches("\x1b_Ga=d,d=I").count() == 2);
    let all = session.quit();
    let (before, after) = all.rsplit_once("\x1b_Ga=d,d=A").unwrap();
    assert!(after.contains("\x1b[?1049l") && before.contains("\x1b[?1049h"));
}

#[test]
fn a_terminal_with_sixel_is_sent_sixel() {
    let session = Session::open(&[], XTERM, &[]);
    session.trained("\x1bP0;1;0q");
    let text = session.quit();
    assert!(!text.contains("\x1b_Ga=T") && !text.contains("\x1b]1337"));
    let data = text.rsplit("\x1bP0;1;0q").next().unwrap().split("\x1b\\").next().unwrap();
    assert_is_plot(&sixel_image(data));
}

#[test]
fn iterm_is_sent_inline_images() {
    let session = Session::open(&[], ITERM, &[]);
    session.trained("\x1b]1337;File=");
    let text = session.quit();
    assert!(!text.contains("\x1b_Ga=T") && !text.contains("\x1bP0;1;0q"));
    let data = text.rsplit("doNotMoveCursor=1:").next().unwrap().split('\x07').next().unwrap();
    let image = tiny_skia::Pixmap::decode_png(&STANDARD.decode(data).unwrap()).unwrap();
    let pixels = image.pixels().iter().map(|own| {
        let own = own.demultiply();
        [own.red(), own.green(), own.blue(), own.alpha()]
    });
    let (width, height) = (image.width() as usize, image.height() as usize);
    assert_is_plot(&Image { width, height, pixels: pixels.collect() });
}

/// Whether a text has a sequence of a graphics protocol.
fn has_graphics(text: &str) -> bool {
    ["\x1b_G", "\x1b]1337", "\x1bP"].iter().any(|start| text.contains(start))
}

/// Arguments, what the terminal answers, and environment variables.
type Case = (&'static [&'static str], Answers, &'static [(&'static str, &'static str)]);

#[test]
fn terminals_that_display_no_pictures_are_sent_none() {
    let plain: Answers = &[("\x1b[>q", "\x1bP>|VTE(7600)\x1b\\"), ("\x1b[c", "\x1b[?61;1;21c")];
    let cases: [Case; 5] = [
        (&[], SILENT, &[]),
        (&[], KITTY, &[("TMUX", "/tmp/tmux-0/default,1,0")]),
        (&[], KITTY, &[("TERM", "screen-256color")]),
        (&["--glyphs", "braille"], KITTY, &[]),
        (&["--glyphs", "pixel"], SILENT, &[]),
    ];
    for (arguments, answers, variables) in cases {
        let session = Session::open(arguments, answers, variables);
        // Dots of any shape, which depends on the curve.
        session
            .trained_until(|sent| sent.contains(|dots| ('\u{2801}'..='\u{28ff}').contains(&dots)));
        let text = session.quit();
        assert!(!has_graphics(&text), "{arguments:?} {variables:?}");
    }
    // One with a name is asked, but sent no picture.
    let session = Session::open(&[], plain, &[]);
    session.until_shown("paused");
    session.send("25\r");
    session.until_shown("epoch 25/450");
    let text = session.quit();
    assert!(text.contains("a=q") && !text.contains("a=T"));
}

#[test]
fn a_protocol_can_be_forced_and_no_colour_gives_grey_pictures() {
    let session = Session::open(&["--glyphs", "pixel-kitty"], SILENT, &[("NO_COLOR", "1")]);
    session.trained("\x1b_Ga=T");
    let images = kitty_images(&session.quit());
    for image in images.values() {
        let grey = |pixel: &[u8; 4]| pixel[0] == pixel[1] && pixel[1] == pixel[2];
        assert!(image.opaque() > 200 && image.pixels.iter().all(grey));
    }
}
