//! The page, which is part of the program.

use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::routing::get;

const HTML: &str = include_str!("../../assets/serve/index.html");
const STYLE: &str = include_str!("../../assets/serve/page.css");
const PAGE: &str = include_str!("../../assets/serve/page.js");
const PAINT: &str = include_str!("../../assets/serve/paint.js");
const ICON: &str = include_str!("../../assets/serve/icon.svg");

/// The files of the page, with their paths and types.
const FILES: [(&str, &str, &str); 5] = [
    ("/", "text/html; charset=utf-8", HTML),
    ("/page.css", "text/css; charset=utf-8", STYLE),
    ("/page.js", "text/javascript; charset=utf-8", PAGE),
    ("/paint.js", "text/javascript; charset=utf-8", PAINT),
    ("/icon.svg", "image/svg+xml", ICON),
];

/// A router that answers requests for the page.
pub(super) fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    FILES.into_iter().fold(Router::new(), |router, (path, kind, text)| {
        router.route(path, get(move || async move { ([(CONTENT_TYPE, kind)], text) }))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_asks_no_other_server_for_anything() {
        for text in [HTML, STYLE, PAGE, PAINT] {
            let text = text.replace("http://www.w3.org/2000/svg", "");
            assert!(!text.contains("http://") && !text.contains("https://"));
        }
        // The content security policy forbids scripts and styles in the page itself.
        assert!(!HTML.contains("style=") && !HTML.contains("onclick"));
        assert!(HTML.contains("aria-live"));
    }
}
