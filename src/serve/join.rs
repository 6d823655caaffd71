//! A link is exchanged for a cookie. The token is in the part of the address that
//! browsers keep to themselves: it appears in no log of a proxy.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, Request, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::hub::Hub;
use super::secret::{Digest, Secret};
use super::store::{Role, Saved};

/// Longest token, in bytes.
const LONGEST: usize = 256;
/// How long a cookie is valid, in seconds.
const MAX_AGE: u64 = 90 * 24 * 3600;

/// The tokens of the links.
pub(super) struct Tokens {
    /// The owner's, until it is used.
    owner: Mutex<Option<Digest>>,
    /// The visitors', if there is such a link.
    visitors: Option<Digest>,
}

impl Tokens {
    pub(super) fn new(owner: &Secret, visitors: Option<&Secret>) -> Self {
        let owner = Mutex::new(Some(owner.digest()));
        Self { owner, visitors: visitors.map(Secret::digest) }
    }

    /// Whose token it is; the owner's can be used once.
    fn redeem(&self, token: &str) -> Option<Role> {
        let token = Digest::of(token);
        let mut owner = self.owner.lock().unwrap_or_else(PoisonError::into_inner);
        if *owner == Some(token) {
            *owner = None;
            return Some(Role::Owner);
        }
        (self.visitors == Some(token)).then_some(Role::Visitor)
    }
}

/// The session of a request's cookie, if it is known.
pub(super) fn known(hub: &Hub, headers: &HeaderMap) -> Option<(Digest, Saved)> {
    let name = cookie_name(hub);
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|own| own.to_str().ok());
    let mut pairs = cookies.flat_map(|own| own.split(';')).filter_map(|own| own.split_once('='));
    let (_, secret) = pairs.find(|(own, _)| own.trim() == name)?;
    let id = Digest::of(secret.trim());
    Some((id, hub.store.find(&id)?))
}

/// Cookies are shared between the ports of a machine, so the port is part of the name.
fn cookie_name(hub: &Hub) -> String {
    format!("gesf_{}", hub.options.bind.port())
}

/// `POST /join` with the token as the body.
pub(super) async fn join(State(hub): State<Arc<Hub>>, request: Request<Body>) -> Response {
    let (parts, body) = request.into_parts();
    if let Err(refusal) = hub.guard.check_strictly(&parts.headers) {
        return (StatusCode::FORBIDDEN, refusal.words()).into_response();
    }
    let read = axum::body::to_bytes(body, LONGEST);
    let token = match tokio::time::timeout(hub.options.limits.request_time, read).await {
        Ok(Ok(bytes)) => String::from_utf8(bytes.to_vec()).unwrap_or_default(),
        _ => return StatusCode::BAD_REQUEST.into_response(),
    };
    // Without a token a page asks whether its cookie is known.
    if token.is_empty() {
        return match known(&hub, &parts.headers) {
            Some(_) => StatusCode::NO_CONTENT.into_response(),
            None => (StatusCode::UNAUTHORIZED, "open the link of the server\n").into_response(),
        };
    }
    let Some(role) = hub.tokens.redeem(token.trim()) else {
        let why = "this link is not valid: it was used before, or the server was started again\n";
        return (StatusCode::FORBIDDEN, why).into_response();
    };
    // Who comes again by the visitors' link finds the same session.
    if role == Role::Visitor && known(&hub, &parts.headers).is_some() {
        return StatusCode::NO_CONTENT.into_response();
    }
    match admit(&hub, role, &parts.headers) {
        Ok(cookie) => (StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie)]).into_response(),
        Err(error) => (StatusCode::SERVICE_UNAVAILABLE, format!("{error}\n")).into_response(),
    }
}

/// Makes a session known and returns its cookie.
fn admit(hub: &Hub, role: Role, headers: &HeaderMap) -> io::Result<HeaderValue> {
    let secret = Secret::random()?;
    hub.store.add(&secret.digest(), role)?;
    let origin = headers.get(header::ORIGIN).and_then(|own| own.to_str().ok());
    // Behind a proxy with TLS the cookie must not travel without it.
    let secure = if origin.is_some_and(|own| own.starts_with("https:")) { "; Secure" } else { "" };
    let cookie = format!(
        "{}={}; Path=/; HttpOnly; SameSite=Strict; Max-Age={MAX_AGE}{secure}",
        cookie_name(hub),
        secret.text()
    );
    HeaderValue::from_str(&cookie).map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_link_of_the_owner_works_once_and_that_of_visitors_again() {
        let (owner, visitors) = (Secret::random().unwrap(), Secret::random().unwrap());
        let tokens = Tokens::new(&owner, Some(&visitors));
        assert_eq!(tokens.redeem("guess"), None);
        assert_eq!(tokens.redeem(owner.text()), Some(Role::Owner));
        assert_eq!(tokens.redeem(owner.text()), None);
        for _ in 0..3 {
            assert_eq!(tokens.redeem(visitors.text()), Some(Role::Visitor));
        }
        assert_eq!(Tokens::new(&owner, None).redeem(visitors.text()), None);
        assert_eq!(Tokens::new(&owner, None).redeem(""), None);
    }
}
