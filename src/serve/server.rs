//! The HTTP server: the page, the way in, and the line to a session. Requests that do
//! not come to an end make room for newer ones.

use std::collections::VecDeque;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Request, State, WebSocketUpgrade};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::AbortHandle;

use super::connection::converse;
use super::guard::{Guard, security_headers};
use super::hub::Hub;
use super::join::{Tokens, join, known};
use super::options::Options;
use super::secret::Secret;
use super::{Launcher, page};

/// The links of a server.
#[derive(Debug, Clone)]
pub struct Links {
    /// The address it listens at.
    pub address: SocketAddr,
    /// The owner's link, which works once.
    pub owner: String,
    /// The visitors' link, which works until the server stops.
    pub visitors: Option<String>,
}

/// A server that listens.
pub struct Server {
    listener: TcpListener,
    hub: Arc<Hub>,
    links: Links,
}

impl Server {
    /// Starts to listen.
    pub async fn bind(mut options: Options, launcher: Launcher) -> io::Result<Self> {
        let listener = TcpListener::bind(options.bind).await?;
        options.bind = listener.local_addr()?;
        let owner = Secret::random()?;
        let visitors = if options.invite { Some(Secret::random()?) } else { None };
        let tokens = Tokens::new(&owner, visitors.as_ref());
        let links = links(&options, &owner, visitors.as_ref());
        let guard = Guard::new(options.bind, &options.hosts);
        let hub = Hub::new(options, launcher, guard, tokens)?;
        Ok(Self { listener, hub, links })
    }

    /// The links.
    pub fn links(&self) -> &Links {
        &self.links
    }

    /// Serves until it is stopped; then saves all sessions.
    pub async fn run(self, mut stop: oneshot::Receiver<()>) -> io::Result<()> {
        let router = router(&self.hub);
        let tended = self.hub.clone();
        let tending = tokio::spawn(async move { tended.tend().await });
        let mut requests = Requests::new(self.hub.options.limits.requests);
        let time = self.hub.options.limits.request_time;
        loop {
            tokio::select! {
                accepted = self.listener.accept() => match accepted {
                    Ok((stream, _)) => requests.add(answer(stream, router.clone(), time)),
                    Err(error) => {
                        // Out of file descriptors, usually: closing some takes time.
                        tracing::warn!(%error, "a connection was not accepted");
                        tokio::time::sleep(Duration::from_millis(50)).await;
                    }
                },
                _ = &mut stop => break,
            }
        }
        tending.abort();
        self.hub.end_all().await;
        Ok(())
    }
}

fn links(options: &Options, owner: &Secret, visitors: Option<&Secret>) -> Links {
    let address = options.bind;
    let host = |address: SocketAddr| match options.hosts.first() {
        Some(host) => format!("https://{host}"),
        None => format!("http://{address}"),
    };
    // The part after # stays in the browser.
    let link = |host: &str, secret: &Secret| format!("{host}/#{}", secret.text());
    let (own, others) = (host(seen_here(address)), host(seen_outside(address)));
    Links {
        address,
        owner: link(&own, owner),
        visitors: visitors.map(|secret| link(&others, secret)),
    }
}

/// An address to connect to from this machine.
fn seen_here(address: SocketAddr) -> SocketAddr {
    match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => (Ipv4Addr::LOCALHOST, address.port()).into(),
        IpAddr::V6(ip) if ip.is_unspecified() => (Ipv6Addr::LOCALHOST, address.port()).into(),
        _ => address,
    }
}

/// An address to connect to from others: that of the way to them. Nothing is sent.
fn seen_outside(address: SocketAddr) -> SocketAddr {
    if !address.ip().is_unspecified() {
        return address;
    }
    let way = UdpSocket::bind("0.0.0.0:0").and_then(|socket| {
        socket.connect("192.0.2.1:9")?;
        socket.local_addr()
    });
    way.map_or(seen_here(address), |own| (own.ip(), address.port()).into())
}

fn router(hub: &Arc<Hub>) -> Router {
    page::routes()
        .route("/join", post(join))
        .route("/session", get(connect))
        .layer(from_fn_with_state(hub.clone(), check))
        .with_state(hub.clone())
}

/// Checks every request, and completes every answer.
async fn check(State(hub): State<Arc<Hub>>, request: Request, next: Next) -> Response {
    let mut response = match hub.guard.check(request.headers()) {
        Ok(()) => next.run(request).await,
        Err(refusal) => (StatusCode::FORBIDDEN, refusal.words()).into_response(),
    };
    security_headers(response.headers_mut());
    response
}

/// `GET /session`: the WebSocket of a visitor.
async fn connect(
    State(hub): State<Arc<Hub>>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    if let Err(refusal) = hub.guard.check_strictly(&headers) {
        return (StatusCode::FORBIDDEN, refusal.words()).into_response();
    }
    let Some((id, _)) = known(&hub, &headers) else {
        let why = "no session is known for this browser: open the link again\n";
        return (StatusCode::UNAUTHORIZED, why).into_response();
    };
    let Some(page) = hub.enter(id) else {
        return (StatusCode::TOO_MANY_REQUESTS, "too many open pages\n").into_response();
    };
    let most = hub.options.limits.message;
    upgrade
        .max_message_size(most)
        .max_frame_size(most)
        .on_upgrade(move |socket| converse(socket, hub, page, id))
}

/// Answers the requests of a connection.
async fn answer(stream: TcpStream, router: Router, time: Duration) {
    // Frames are small and must not wait for each other.
    let _ = stream.set_nodelay(true);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(time)
        .max_buf_size(16 << 10)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router))
        .with_upgrades();
    if let Err(error) = connection.await {
        tracing::debug!(%error, "a connection ended");
    }
}

/// Connections that are not a session's. When there are too many, the oldest is closed:
/// a request takes milliseconds, so it is one that never came.
struct Requests {
    most: usize,
    open: VecDeque<AbortHandle>,
}

impl Requests {
    fn new(most: usize) -> Self {
        Self { most: most.max(1), open: VecDeque::new() }
    }

    fn add(&mut self, request: impl Future<Output = ()> + Send + 'static) {
        self.open.retain(|own| !own.is_finished());
        while self.open.len() >= self.most {
            if let Some(oldest) = self.open.pop_front() {
                oldest.abort();
            }
        }
        self.open.push_back(tokio::spawn(request).abort_handle());
    }
}
