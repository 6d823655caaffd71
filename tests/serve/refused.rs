//! What is refused or bounded: strangers, paths, floods, and connections that never
//! become a session. Whoever is there notices nothing of it.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::json;
use tungstenite::Message;

use super::client::{Page, Server, free_port};
use super::{class, home};

/// A key whose effect is waited for, there and back.
fn key_to_frame(page: &mut Page) -> Duration {
    page.press("?");
    let there = page.wait_for("Train one epoch");
    page.press("esc");
    there + page.wait("the screen", |page| !page.text().contains("Train one epoch"))
}

#[test]
fn strangers_are_refused() {
    let home = home();
    let server = class(&home, &[]);
    let host = server.address.to_string();
    let get = |path: &str, headers: &str| {
        server.request(&format!("GET {path} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n"))
    };
    let (status, head, body) = get("/", &format!("Host: {host}\r\n"));
    assert_eq!(status, 200);
    assert!(body.contains("aria-live"));
    for part in ["default-src 'none'", "nosniff", "no-referrer", "frame-ancestors 'none'"] {
        assert!(head.contains(part), "{head}");
    }
    assert_eq!(get("/", "Host: evil.example\r\n").0, 403);
    assert_eq!(get("/", "").0, 403);
    assert_eq!(get("/", &format!("Host: {host}\r\nOrigin: http://evil.example\r\n")).0, 403);
    for path in ["/../../etc/passwd", "/etc/passwd", "/session.json", "/assets/serve/page.js"] {
        let (status, _, body) = get(path, &format!("Host: {host}\r\n"));
        assert!(status == 404 || status == 400, "{path} {status} {body}");
    }
    assert_eq!(server.join("wrong"), Err(403));
    assert_eq!(server.join(""), Err(401));
    let origin = format!("http://{host}");
    for (cookie, origin) in [("", origin.as_str()), ("gesf_1=guess", &origin)] {
        assert!(server.connect(cookie, origin).err().unwrap().contains("401"));
    }
    let cookie = server.join(&server.owner).unwrap();
    assert_eq!(server.join(&server.owner), Err(403), "the link works once");
    for origin in ["http://evil.example", "null", ""] {
        assert!(server.connect(&cookie, origin).err().unwrap().contains("403"), "{origin}");
    }
    assert!(server.connect(&cookie, &origin).is_ok());
}

#[test]
fn a_path_outside_is_neither_opened_nor_listed_nor_written() {
    let home = home();
    let server = class(&home, &[]);
    let mut page = server.visitor();
    page.wait_opened();
    page.press("2 enter");
    page.wait("epoch 2", |page| page.epoch() == Some(2));
    page.press("ctrl-o");
    page.wait_for("built-in sample");
    let shown = page.text();
    assert!(!shown.contains(home.path().to_str().unwrap()) && !shown.contains("recent"), "{shown}");
    page.press("/ e t tab");
    page.send(&json!({ "paste": "c/passwd" }));
    page.wait_for("/etc/passwd");
    page.press("enter");
    page.wait_for("choose a graph of the list");
    page.press("esc");
    for key in ["alt-e", "alt-r"] {
        page.press(&format!("{key} enter"));
        page.wait_for("does not write files");
        page.press("esc");
        page.wait("no message", |page| !page.text().contains("does not write files"));
    }
    assert!(!std::path::Path::new("karate-export").exists());
}

#[test]
fn a_model_beyond_the_memory_of_a_session_is_refused() {
    let home = home();
    let server = class(&home, &["--memory", "16"]);
    let mut page = server.visitor();
    page.wait_opened();
    page.press(":");
    page.send(&json!({ "paste": "dimension 4096" }));
    page.press("enter");
    page.wait_for("16 MiB a session");
}

#[test]
fn an_allowed_folder_can_be_read_and_written() {
    let (home, allowed) = (home(), home());
    std::fs::write(allowed.path().join("tiny.txt"), "a b\nb c\nc a\nc d\n").unwrap();
    let folder = allowed.path().to_str().unwrap();
    let server = class(&home, &["--allow", folder]);
    let mut page = server.visitor();
    page.wait_opened();
    page.press("2 enter");
    page.wait("epoch 2", |page| page.epoch() == Some(2));
    page.press("alt-e ctrl-u");
    page.send(&json!({ "paste": format!("{folder}/out") }));
    page.press("enter");
    page.wait_for("saved");
    assert!(allowed.path().join("out").is_dir());
    page.press("ctrl-o");
    page.send(&json!({ "paste": format!("{folder}/tiny.txt") }));
    page.press("enter");
    page.wait_for("tiny");
}

#[test]
fn floods_and_half_open_connections_cost_others_nothing() {
    let home = home();
    let server = class(&home, &[]);
    let mut calm = server.visitor();
    calm.wait_opened();
    key_to_frame(&mut calm);
    // A flood of keys: what is too much waits in the sender's own line.
    let mut flood = server.visitor();
    flood.wait_opened();
    let stream = flood.socket.get_ref().try_clone().unwrap();
    stream.set_write_timeout(Some(Duration::from_millis(300))).unwrap();
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(2) {
        let message = Message::text(json!({ "key": "down" }).to_string());
        if flood.socket.send(message).is_err() {
            break;
        }
    }
    let during_flood = key_to_frame(&mut calm);
    // A message of a megabyte ends its connection.
    let mut large = server.visitor();
    large.wait_opened();
    large.send(&json!({ "paste": "x".repeat(1 << 20) }));
    let start = Instant::now();
    while !large.is_closed && start.elapsed() < Duration::from_secs(10) {
        large.read();
    }
    assert!(large.is_closed);
    // Nonsense does as well.
    let mut nonsense = server.visitor();
    nonsense.send(&json!({ "run": "rm" }));
    let start = Instant::now();
    while !nonsense.is_closed && start.elapsed() < Duration::from_secs(10) {
        nonsense.read();
    }
    assert!(nonsense.is_closed);
    // 500 connections that never finish their request.
    let mut half_open: Vec<TcpStream> = (0..500)
        .map(|_| {
            let mut stream = TcpStream::connect(server.address).unwrap();
            let _ = stream.write_all(b"GET / HTTP/1.1\r\nHost: ");
            stream
        })
        .collect();
    let during_half_open = key_to_frame(&mut calm);
    let mut newcomer = server.visitor();
    newcomer.wait_opened();
    half_open[0].set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let closed = half_open[0].read(&mut [0; 16]);
    assert!(matches!(closed, Ok(0) | Err(_)), "the oldest made room");
    for waited in [during_flood, during_half_open] {
        assert!(waited < Duration::from_secs(3), "{waited:?}");
    }
    assert!(!calm.is_closed);
}

#[test]
fn a_page_that_acknowledges_nothing_gets_one_frame_and_delays_nobody() {
    let home = home();
    let server = class(&home, &[]);
    let (mut slow, mut calm) = (server.visitor(), server.visitor());
    slow.wait_opened();
    calm.wait_opened();
    slow.acknowledges = false;
    let before = slow.frames;
    slow.press("2 0 0 enter");
    // Sentences need no acknowledgement.
    slow.wait_told("Paused at epoch 200.");
    assert_eq!(slow.frames, before + 1, "{}", slow.text());
    assert!(key_to_frame(&mut calm) < Duration::from_secs(3));
    // Once it acknowledges, the newest frame comes, not the ones in between.
    slow.acknowledges = true;
    slow.send(&json!({ "ack": slow.frames }));
    slow.wait("epoch 200", |page| page.epoch() == Some(200));
    assert!(slow.frames < before + 4, "{}", slow.frames);
}

#[test]
fn an_idle_session_is_saved_and_comes_back() {
    let home = home();
    let port = free_port();
    let arguments =
        ["sample_graphs/karate", "--invite", "--paused", "--screen", "train", "--idle", "0.05"];
    let server = Server::start(home.path(), port, &arguments);
    let cookie = server.join(server.visitors.as_ref().unwrap()).unwrap();
    let mut page = server.page(&cookie).sized(100, 30);
    page.wait_opened();
    page.press("9 enter");
    page.wait("epoch 9", |page| page.epoch() == Some(9));
    page.wait_told("no input");
    let mut again = server.page(&cookie).sized(100, 30);
    again.wait("epoch 9", |page| page.epoch() == Some(9));
}
