//! A server in a process of its own, and a page that shows its frames as text.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};

/// Longest wait for anything that should happen.
pub(crate) const PATIENCE: Duration = Duration::from_secs(40);

/// A running server; it is killed when dropped.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: SocketAddr,
    pub(crate) owner: String,
    pub(crate) visitors: Option<String>,
}

/// A port that is free now.
pub(crate) fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

impl Server {
    /// Starts a server with its files in a folder.
    pub(crate) fn start(home: &Path, port: u16, arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gesf-tui"));
        for name in ["GESF_CACHE_DIR", "GESF_CONFIG_DIR", "GESF_DATA_DIR"] {
            command.env(name, home);
        }
        let bind = format!("127.0.0.1:{port}");
        command.args(["serve", "--bind", &bind]).args(arguments).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (mut links, mut is_complete) = (Vec::new(), false);
        let wants_two =
            ["--invite", "--watch", "--class"].iter().any(|own| arguments.contains(own));
        let output = BufReader::new(child.stdout.take().unwrap());
        for line in output.lines().map_while(Result::ok) {
            links.extend(line.trim().strip_prefix("http://").map(str::to_owned));
            is_complete = links.len() == 1 + usize::from(wants_two);
            if is_complete {
                break;
            }
        }
        assert!(is_complete, "the server printed {links:?}");
        let token = |link: &String| link.split_once("/#").unwrap().1.to_owned();
        let address = links[0].split_once('/').unwrap().0.parse().unwrap();
        Self { child, address, owner: token(&links[0]), visitors: links.get(1).map(token) }
    }

    /// Sends a request; returns the status, the headers and the body.
    pub(crate) fn request(&self, request: &str) -> (u16, String, String) {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        let _ = stream.read_to_string(&mut answer);
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        let status = head.split(' ').nth(1).and_then(|own| own.parse().ok()).unwrap_or(0);
        (status, head.to_lowercase(), body.to_owned())
    }

    /// Exchanges a token for a cookie.
    pub(crate) fn join(&self, token: &str) -> Result<String, u16> {
        let request = format!(
            "POST /join HTTP/1.1\r\nHost: {0}\r\nOrigin: http://{0}\r\nContent-Length: {1}\r\n\
             Connection: close\r\n\r\n{token}",
            self.address,
            token.len()
        );
        let (status, head, _) = self.request(&request);
        let cookie = head.lines().find_map(|line| line.strip_prefix("set-cookie: "));
        match cookie.filter(|_| status == 204) {
            Some(cookie) => {
                assert!(cookie.contains("httponly") && cookie.contains("samesite=strict"));
                Ok(cookie.split(';').next().unwrap().to_owned())
            }
            None => Err(status),
        }
    }

    /// Opens a page with a cookie.
    pub(crate) fn page(&self, cookie: &str) -> Page {
        self.connect(cookie, &format!("http://{}", self.address)).unwrap()
    }

    /// Opens a page that comes from an origin.
    pub(crate) fn connect(&self, cookie: &str, origin: &str) -> Result<Page, String> {
        let mut request = format!("ws://{}/session", self.address).into_client_request().unwrap();
        for (name, value) in [("cookie", cookie), ("origin", origin)] {
            if !value.is_empty() {
                request.headers_mut().insert(name, value.parse().unwrap());
            }
        }
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_nodelay(true).unwrap();
        match tungstenite::client(request, stream) {
            Ok((socket, _)) => {
                socket.get_ref().set_read_timeout(Some(Duration::from_millis(100))).unwrap();
                Ok(Page::new(socket))
            }
            Err(error) => Err(error.to_string()),
        }
    }

    /// The page of a new visitor, who told the size of the screen.
    pub(crate) fn visitor(&self) -> Page {
        let cookie = self.join(self.visitors.as_ref().unwrap()).unwrap();
        self.page(&cookie).sized(100, 30)
    }

    /// Ends the process without a warning.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// The id of the process.
    #[allow(dead_code)]
    pub(crate) fn process(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A page that shows frames as text.
pub(crate) struct Page {
    pub(crate) socket: WebSocket<TcpStream>,
    cells: Vec<Vec<String>>,
    /// All messages that are no frames.
    pub(crate) told: Vec<Value>,
    /// Frames shown.
    pub(crate) frames: usize,
    /// Whether frames are acknowledged.
    pub(crate) acknowledges: bool,
    /// Whether the server closed the line.
    pub(crate) is_closed: bool,
}

impl Page {
    fn new(socket: WebSocket<TcpStream>) -> Self {
        let (cells, told) = (Vec::new(), Vec::new());
        Self { socket, cells, told, frames: 0, acknowledges: true, is_closed: false }
    }

    pub(crate) fn sized(mut self, columns: u16, rows: u16) -> Self {
        self.send(&json!({ "size": [columns, rows] }));
        self
    }

    pub(crate) fn send(&mut self, message: &Value) {
        let _ = self.socket.send(Message::text(message.to_string()));
    }

    pub(crate) fn press(&mut self, keys: &str) {
        keys.split(' ').for_each(|key| self.send(&json!({ "key": key })));
    }

    pub(crate) fn text(&self) -> String {
        self.cells.iter().map(|line| line.concat() + "\n").collect()
    }

    /// Takes in what came, for at most a tenth of a second.
    pub(crate) fn read(&mut self) {
        let text = match self.socket.read() {
            Ok(Message::Text(text)) => text,
            Err(tungstenite::Error::Io(error)) => {
                let waits = [std::io::ErrorKind::WouldBlock, std::io::ErrorKind::TimedOut];
                self.is_closed |= !waits.contains(&error.kind());
                return;
            }
            Ok(Message::Close(_)) | Err(_) => {
                self.is_closed = true;
                return;
            }
            Ok(_) => return,
        };
        let message: Value = serde_json::from_str(&text).unwrap();
        let Some(number) = message["frame"].as_u64() else {
            self.told.push(message);
            return;
        };
        self.frames += 1;
        self.show(&message);
        if self.acknowledges {
            self.send(&json!({ "ack": number }));
        }
    }

    fn show(&mut self, frame: &Value) {
        let size = |at: usize| frame["size"][at].as_u64().unwrap() as usize;
        let (columns, rows) = (size(0), size(1));
        if self.cells.len() != rows || self.cells.first().map_or(0, Vec::len) != columns {
            self.cells = vec![vec![" ".to_owned(); columns]; rows];
        }
        for run in frame["cells"].as_array().unwrap() {
            let (x, y) = (run[0].as_u64().unwrap() as usize, run[1].as_u64().unwrap() as usize);
            for (n, letter) in run[5].as_str().unwrap().chars().enumerate() {
                if let Some(cell) = self.cells[y].get_mut(x + n) {
                    *cell = letter.to_string();
                }
            }
        }
    }

    /// Waits until the screen shows something; fails with the screen otherwise.
    pub(crate) fn wait_for(&mut self, what: &str) -> Duration {
        self.wait(what, |page| page.text().contains(what))
    }

    /// Waits until the graph is loaded: earlier keys would mean something else.
    pub(crate) fn wait_opened(&mut self) {
        self.wait("epoch", |page| page.epoch().is_some());
    }

    /// Waits until the server has told something.
    pub(crate) fn wait_told(&mut self, what: &str) -> Duration {
        let told = |page: &Self| page.told.iter().any(|own| own.to_string().contains(what));
        self.wait(what, told)
    }

    pub(crate) fn wait(&mut self, what: &str, until: impl Fn(&Self) -> bool) -> Duration {
        let start = Instant::now();
        while !until(self) {
            let text = self.text();
            assert!(start.elapsed() < PATIENCE, "no {what}; told {:?}\n{text}", self.told);
            assert!(!self.is_closed, "closed before {what}; told {:?}\n{text}", self.told);
            self.read();
        }
        start.elapsed()
    }

    /// The epoch in the header: `… stage 1/2 · epoch 90/450`.
    pub(crate) fn epoch(&self) -> Option<usize> {
        let text = self.text();
        let pairs = text.lines().next()?.split_whitespace().filter_map(|word| word.split_once('/'));
        let mut numbers =
            pairs.filter_map(|(at, of)| Some((at.parse().ok()?, of.parse::<usize>().ok()?)));
        let (at, of) = numbers.next_back()?;
        // `stage 1/2` stands before the epoch.
        (of > 2).then_some(at)
    }
}
