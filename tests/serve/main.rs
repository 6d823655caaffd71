//! The explorer in browsers: sessions, links, watching, hand-ins, restarts.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod client;
mod crowd;
mod refused;

use client::{Page, Server, free_port};
use serde_json::json;

fn home() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

const KARATE: &str = "sample_graphs/karate";

/// A server with karate and a link for visitors.
fn class(home: &tempfile::TempDir, more: &[&str]) -> Server {
    let arguments = [&[KARATE, "--invite", "--paused", "--screen", "train"], more].concat();
    Server::start(home.path(), free_port(), &arguments)
}

/// Waits until the model is at an epoch or later.
fn train(page: &mut Page, epoch: usize) {
    let what = format!("epoch {epoch}");
    page.wait(&what, |page| page.epoch().is_some_and(|own| own >= epoch));
}

#[test]
fn a_visitor_trains_in_a_session_of_their_own() {
    let home = home();
    let server = class(&home, &[]);
    let (mut one, mut other) = (server.visitor(), server.visitor());
    one.wait_opened();
    other.wait_opened();
    one.press("2 5 enter");
    train(&mut one, 25);
    one.press("f");
    one.wait_for("[Filter]");
    // A click on a screen of the header works as well.
    let (row, column) = one
        .text()
        .lines()
        .enumerate()
        .find_map(|(row, line)| Some((row, line[..line.find("Train")?].chars().count())))
        .unwrap();
    one.send(&json!({ "mouse": ["down-left", column, row] }));
    one.wait_for("[Train]");
    // Nothing of that is on the other screen.
    other.press("?");
    other.wait_for("Train one epoch");
    assert!(other.epoch().is_none_or(|epoch| epoch == 0), "{}", other.text());
    // Sentences are read to whoever cannot see the screen.
    one.wait_told("Paused at epoch 25.");
}

#[test]
fn copied_text_and_screenshots_go_to_the_browser() {
    let home = home();
    let server = class(&home, &[]);
    let mut page = server.visitor();
    page.wait_opened();
    page.press("3 enter");
    train(&mut page, 3);
    page.press("alt-s");
    page.wait_told("gesf2 graph=sample:karate");
    page.press("ctrl-s enter");
    page.wait_told("<svg");
    page.wait_for("saved: ");
}

#[test]
fn a_page_that_comes_back_finds_the_same_screen() {
    let home = home();
    let server = class(&home, &[]);
    let cookie = server.join(server.visitors.as_ref().unwrap()).unwrap();
    let mut page = server.page(&cookie).sized(100, 30);
    page.wait_opened();
    page.press("7 enter");
    train(&mut page, 7);
    drop(page);
    let mut again = server.page(&cookie).sized(90, 28);
    again.wait(" the same epoch", |page| page.epoch() == Some(7));
}

#[test]
fn sessions_survive_a_server_that_is_killed() {
    let home = home();
    let port = free_port();
    let arguments = [KARATE, "--invite", "--paused", "--screen", "train"];
    let server = Server::start(home.path(), port, &arguments);
    let cookie = server.join(server.visitors.as_ref().unwrap()).unwrap();
    let mut page = server.page(&cookie).sized(100, 30);
    page.wait_opened();
    page.press("4 0 enter");
    train(&mut page, 40);
    page.press("f");
    page.wait_for("[Filter]");
    // What is open is written at once; the run as soon as it rests.
    std::thread::sleep(std::time::Duration::from_millis(500));
    server.kill();
    let server = Server::start(home.path(), port, &arguments);
    let mut page = server.page(&cookie).sized(100, 30);
    page.wait("the epoch", |page| page.epoch().is_some_and(|epoch| epoch > 0));
    page.wait_for("[Filter]");
    assert!(page.epoch() <= Some(40));
}

#[test]
fn visitors_watch_the_lecturer_and_go_on_alone() {
    let home = home();
    let server = Server::start(
        home.path(),
        free_port(),
        &[KARATE, "--watch", "--paused", "--screen", "train"],
    );
    let mut visitor = server.visitor();
    visitor.wait_told("no-lecturer");
    let mut lecturer = server.page(&server.join(&server.owner).unwrap()).sized(110, 32);
    lecturer.wait_opened();
    lecturer.press("1 2 enter");
    train(&mut lecturer, 12);
    visitor.wait_told("watching");
    train(&mut visitor, 12);
    // A visitor cannot press the lecturer's keys.
    visitor.press("5 enter");
    lecturer.press("f");
    visitor.wait_for("[Filter]");
    assert_eq!(lecturer.epoch(), visitor.epoch());
    visitor.send(&json!("take-copy"));
    visitor.wait_told("\"own\"");
    visitor.send(&json!({ "size": [100, 30] }));
    let is_own = |page: &Page| page.text().lines().count() == 30 && page.epoch() == Some(12);
    visitor.wait("a screen of its own", is_own);
    visitor.press("3 enter");
    train(&mut visitor, 15);
    lecturer.press("t");
    lecturer.wait_for("[Train]");
    assert_eq!(lecturer.epoch(), Some(12));
    visitor.send(&json!("watch"));
    visitor.wait("the lecturer's epoch", |page| page.epoch() == Some(12));
}

#[test]
fn lessons_are_handed_in_to_the_folder_of_the_class() {
    let (home, folder) = (home(), home());
    let path = folder.path().to_str().unwrap();
    let server = Server::start(home.path(), free_port(), &["--class", path]);
    let mut page = server.visitor();
    page.wait_for("karate club");
    page.press("f8 enter");
    page.wait_for("1 of");
    page.send(&json!({ "hand-in": "Ada" }));
    page.wait_told("handed in");
    let file = std::fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap();
    let text = std::fs::read_to_string(file.path()).unwrap();
    assert!(text.contains("name = \"Ada\""), "{text}");
}

#[test]
fn who_finds_no_place_waits_and_is_told_where() {
    let home = home();
    let server = class(&home, &["--sessions", "1"]);
    let mut first = server.visitor();
    first.wait_opened();
    let (mut second, mut third) = (server.visitor(), server.visitor());
    second.wait_told("{\"queue\":[1,1]}");
    third.wait_told("{\"queue\":[2,1]}");
    first.press("q");
    first.wait_told("ended");
    second.send(&json!({ "size": [100, 30] }));
    second.wait_told("\"own\"");
    second.wait_opened();
    third.wait_told("{\"queue\":[1,1]}");
    // The owner always has a place.
    let mut owner = server.page(&server.join(&server.owner).unwrap()).sized(100, 30);
    owner.wait_opened();
}
