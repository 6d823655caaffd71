//! Which requests are answered at all: the name they ask for and the page they come
//! from must be the server's own. A page of another site can thus neither reach a
//! session nor pretend to be its page (DNS rebinding).

use std::net::{IpAddr, SocketAddr};

use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderValue, header};

/// The names of the server.
#[derive(Debug, Clone)]
pub(super) struct Guard {
    address: SocketAddr,
    hosts: Vec<String>,
}

/// Why a request is refused.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// It asks for another host.
    Host,
    /// It comes from a page of another site.
    Origin,
}

impl Refusal {
    /// What the visitor is told.
    pub(super) fn words(&self) -> &'static str {
        match self {
            Self::Host => {
                "this server does not go by that name; its owner can add it with --host\n"
            }
            Self::Origin => "this request comes from a page of another site\n",
        }
    }
}

impl Guard {
    /// The guard of a server at an address, also known by other names.
    pub(super) fn new(address: SocketAddr, hosts: &[String]) -> Self {
        Self { address, hosts: hosts.iter().map(|host| host.to_lowercase()).collect() }
    }

    /// Checks the host, and the origin where there is one.
    pub(super) fn check(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let host = single(headers, &HOST).filter(|host| self.knows(host)).ok_or(Refusal::Host)?;
        match (headers.contains_key(ORIGIN), single(headers, &ORIGIN)) {
            (false, _) => Ok(()),
            (true, Some(origin)) if is_of(origin, host) => Ok(()),
            (true, _) => Err(Refusal::Origin),
        }
    }

    /// The same for requests that change something: an origin is required.
    pub(super) fn check_strictly(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        self.check(headers)?;
        if headers.contains_key(ORIGIN) { Ok(()) } else { Err(Refusal::Origin) }
    }

    /// Whether a host, with a port or without, is this server.
    fn knows(&self, host: &str) -> bool {
        let host = host.to_lowercase();
        let (name, port) = split(&host);
        if self.hosts.iter().any(|own| *own == host || *own == name) {
            return true;
        }
        if port.unwrap_or(80) != self.address.port() {
            return false;
        }
        let address: Option<IpAddr> = name.trim_matches(['[', ']']).parse().ok();
        match address {
            // An address, unlike a name, cannot be made to lead elsewhere.
            Some(_) if self.address.ip().is_unspecified() => true,
            Some(address) => {
                address == self.address.ip()
                    || address.is_loopback() && self.address.ip().is_loopback()
            }
            None => name == "localhost" && self.address.ip().is_loopback(),
        }
    }
}

/// The name and the port of a host.
fn split(host: &str) -> (String, Option<u16>) {
    let ends_in_port = host.rsplit_once(':').filter(|(name, _)| !name.ends_with(':'));
    match ends_in_port.and_then(|(name, port)| Some((name, port.parse().ok()?))) {
        Some((name, port)) => (name.to_owned(), Some(port)),
        None => (host.to_owned(), None),
    }
}

/// Whether an origin is a page of a host.
fn is_of(origin: &str, host: &str) -> bool {
    let rest = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    rest.is_some_and(|rest| rest.eq_ignore_ascii_case(host))
}

/// The value of a header that is there once.
fn single<'a>(headers: &'a HeaderMap, name: &header::HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let first = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(first)
}

/// Headers of every answer: the page loads nothing from elsewhere, is shown in no other
/// page, and tells no other site where it is.
pub(super) fn security_headers(headers: &mut HeaderMap) {
    const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
                          connect-src 'self'; img-src 'self' data:; base-uri 'none'; \
                          form-action 'none'; frame-ancestors 'none'";
    let fixed = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    let more = [
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
        ("permissions-policy", "camera=(), microphone=(), geolocation=()"),
    ];
    for (name, value) in more {
        headers.insert(name, HeaderValue::from_static(value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(*name, HeaderValue::from_static(value));
        }
        headers
    }

    fn guard(address: &str, hosts: &[&str]) -> Guard {
        let hosts: Vec<String> = hosts.iter().map(|host| (*host).to_owned()).collect();
        Guard::new(address.parse().unwrap(), &hosts)
    }

    #[test]
    fn only_the_names_of_the_server_are_answered() {
        let local = guard("127.0.0.1:7373", &[]);
        for host in ["127.0.0.1:7373", "localhost:7373", "LOCALHOST:7373", "[::1]:7373"] {
            assert_eq!(local.check(&headers(&[("host", host)])), Ok(()), "{host}");
        }
        for host in ["localhost", "evil.example:7373", "127.0.0.1:80", "192.168.0.9:7373", ""] {
            assert_eq!(local.check(&headers(&[("host", host)])), Err(Refusal::Host), "{host}");
        }
        assert_eq!(local.check(&headers(&[])), Err(Refusal::Host));
        let twice = headers(&[("host", "localhost:7373"), ("host", "evil.example")]);
        assert_eq!(local.check(&twice), Err(Refusal::Host));
        let public = guard("0.0.0.0:7373", &["class.example.org"]);
        for host in ["192.168.0.9:7373", "class.example.org", "class.example.org:443"] {
            assert_eq!(public.check(&headers(&[("host", host)])), Ok(()), "{host}");
        }
        assert_eq!(public.check(&headers(&[("host", "localhost:7373")])), Err(Refusal::Host));
        assert_eq!(public.check(&headers(&[("host", "other.example.org")])), Err(Refusal::Host));
    }

    #[test]
    fn a_page_of_another_site_is_refused() {
        let local = guard("127.0.0.1:7373", &[]);
        let from = |origin| headers(&[("host", "localhost:7373"), ("origin", origin)]);
        assert_eq!(local.check_strictly(&from("http://localhost:7373")), Ok(()));
        for origin in
            ["http://evil.example", "null", "http://127.0.0.1:7373", "ws://localhost:7373"]
        {
            assert_eq!(local.check(&from(origin)), Err(Refusal::Origin), "{origin}");
        }
        let none = headers(&[("host", "localhost:7373")]);
        assert_eq!(local.check(&none), Ok(()));
        assert_eq!(local.check_strictly(&none), Err(Refusal::Origin));
    }
}
