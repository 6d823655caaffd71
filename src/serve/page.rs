//! The page, which is part of the program.

use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;

const HTML: &str = include_str!("../../assets/serve/index.html");
const STYLE: &str = include_str!("../../assets/serve/page.css");
const PAGE: &str = include_str!("../../assets/serve/page.js");
const PAINT: &str = include_str!("../../assets/serve/paint.js");
const ICON: &str = include_str!("../../assets/serve/icon.svg");

pub(super) async fn index() -> impl IntoResponse {
    ([(CONTENT_TYPE, "text/html; charset=utf-8")], HTML)
}

pub(super) async fn style() -> impl IntoResponse {
    ([(CONTENT_TYPE, "text/css; charset=utf-8")], STYLE)
}

pub(super) async fn script() -> impl IntoResponse {
    ([(CONTENT_TYPE, "text/javascript; charset=utf-8")], PAGE)
}

pub(super) async fn paint() -> impl IntoResponse {
    ([(CONTENT_TYPE, "text/javascript; charset=utf-8")], PAINT)
}

pub(super) async fn icon() -> impl IntoResponse {
    ([(CONTENT_TYPE, "image/svg+xml")], ICON)
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
