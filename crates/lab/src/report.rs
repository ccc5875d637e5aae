//! Results as one self-contained HTML page.

use std::collections::BTreeSet;

use crate::figure::{Figure, Map};
use crate::markup::escape;
use crate::table::Table;

/// Light by default, dark where the reader prefers it. Figures keep their white sheet in both.
const STYLE: &str = "\
:root { color-scheme: light dark; --ink: #222; --faint: #666; --line: #d5d5d5; --shade: #f4f5f6; \
--link: #0072b2; --sheet: #fff; }
@media (prefers-color-scheme: dark) { :root { --ink: #e2e2e2; --faint: #a0a0a0; --line: #454545; \
--shade: #262626; --link: #6cbdf0; --sheet: #191919; } }
body { margin: 0 auto; padding: 2rem 1rem 4rem; max-width: 74rem; background: var(--sheet); \
color: var(--ink); font: 1rem/1.55 system-ui, sans-serif; }
h1, h2, h3 { line-height: 1.25; }
h2 { margin-top: 2.5em; padding-bottom: 0.2em; border-bottom: 1px solid var(--line); }
h3 { margin-top: 2em; }
p, li, figcaption { max-width: 45rem; }
a { color: var(--link); }
code, pre { font: 0.875rem/1.5 ui-monospace, monospace; }
code { padding: 0.1em 0.3em; border-radius: 3px; background: var(--shade); }
pre { padding: 0.75rem 1rem; border-radius: 4px; background: var(--shade); overflow-x: auto; }
pre code { padding: 0; background: none; }
nav ul { padding-left: 1.2rem; }
nav li.inner { margin-left: 1.5rem; }
figure { margin: 1.5rem 0; }
figure svg { display: block; max-width: 100%; height: auto; border-radius: 4px; }
figcaption, tfoot, caption { color: var(--faint); font-size: 0.9rem; }
figcaption { margin-top: 0.5rem; }
.scroll { margin: 1.5rem 0; overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 0.9rem; }
caption { padding-bottom: 0.4rem; text-align: left; font-weight: 600; color: var(--ink); }
th, td { padding: 0.25rem 0.6rem; border-bottom: 1px solid var(--line); text-align: left; \
white-space: nowrap; }
thead th { border-bottom: 2px solid var(--line); }
thead th[colspan] { border-bottom-width: 1px; text-align: center; }
tbody th { font-weight: normal; }
.number { text-align: right; }
tfoot td { border-bottom: none; white-space: normal; }
details { margin: 1rem 0; padding: 0.5rem 1rem; border: 1px solid var(--line); \
border-radius: 4px; }
summary { cursor: pointer; }
@media print {
:root { --ink: #000; --faint: #444; --line: #bbb; --shade: #f4f4f4; --link: #000; --sheet: #fff; }
body { max-width: none; padding: 0; font-size: 10pt; }
h2, h3 { break-after: avoid; }
figure, tr, pre { break-inside: avoid; }
.scroll, pre { overflow: visible; }
pre { white-space: pre-wrap; }
details::details-content { content-visibility: visible; block-size: auto; }
}
";

/// A page under construction. Every method adds below what is there.
///
/// All text is escaped. In running text (paragraphs, list items, captions) a part between backticks
/// is set as code.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    title: String,
    body: String,
    headings: Vec<Heading>,
}

/// A heading, as the table of contents needs it.
#[derive(Clone, Debug, PartialEq)]
struct Heading {
    text: String,
    id: String,
    level: Level,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    Outer,
    Inner,
}

impl Page {
    /// A page with nothing but a title.
    #[must_use]
    pub fn new(title: impl Into<String>) -> Page {
        Page { title: title.into(), body: String::new(), headings: Vec::new() }
    }

    /// Starts a section.
    pub fn heading(&mut self, text: &str) -> &mut Page {
        self.any_heading(text, Level::Outer)
    }

    /// Starts a part of a section.
    pub fn subheading(&mut self, text: &str) -> &mut Page {
        self.any_heading(text, Level::Inner)
    }

    /// Adds running text.
    pub fn paragraph(&mut self, text: &str) -> &mut Page {
        self.push(&format!("<p>{}</p>", running(text)))
    }

    /// Adds a list of short texts.
    pub fn list<T: AsRef<str>>(&mut self, items: impl IntoIterator<Item = T>) -> &mut Page {
        self.push("<ul>");
        for item in items {
            self.push(&format!("<li>{}</li>", running(item.as_ref())));
        }
        self.push("</ul>")
    }

    /// Adds a table, which scrolls by itself where the screen is narrower.
    pub fn table(&mut self, table: &Table) -> &mut Page {
        self.push(&format!("<div class=\"scroll\">\n{}</div>", table.html()))
    }

    /// Adds a figure with a caption below it, which may be empty.
    pub fn figure(&mut self, figure: &Figure, caption: &str) -> &mut Page {
        self.drawing(&figure.svg(), caption)
    }

    /// Adds a map with a caption. An empty caption is left out.
    pub fn map(&mut self, map: &Map, caption: &str) -> &mut Page {
        self.drawing(&map.svg(), caption)
    }

    fn drawing(&mut self, svg: &str, caption: &str) -> &mut Page {
        self.push("<figure>");
        self.push(svg.trim_end());
        if !caption.is_empty() {
            self.push(&format!("<figcaption>{}</figcaption>", running(caption)));
        }
        self.push("</figure>")
    }

    /// Adds text that keeps its line breaks and spaces, such as commands to copy or a journal.
    pub fn preformatted(&mut self, text: &str) -> &mut Page {
        let text = escape(text.trim_end_matches('\n'));
        self.push(&format!("<pre><code>{text}</code></pre>"))
    }

    /// Adds a part that is folded away until the reader asks for it; `content` fills it.
    pub fn details(&mut self, summary: &str, content: impl FnOnce(&mut Page)) -> &mut Page {
        self.push(&format!("<details>\n<summary>{}</summary>", running(summary)));
        content(self);
        self.push("</details>")
    }

    /// The whole document. Equal pages give equal bytes.
    #[must_use]
    pub fn html(&self) -> String {
        let title = escape(&self.title);
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
             <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
             <h1>{title}</h1>\n{contents}<main>\n{body}</main>\n</body>\n</html>\n",
            contents = self.contents(),
            body = self.body,
        )
    }

    fn push(&mut self, markup: &str) -> &mut Page {
        self.body.push_str(markup);
        self.body.push('\n');
        self
    }

    fn any_heading(&mut self, text: &str, level: Level) -> &mut Page {
        let id = self.free_id(text);
        let tag = match level {
            Level::Outer => "h2",
            Level::Inner => "h3",
        };
        self.push(&format!("<{tag} id=\"{id}\">{}</{tag}>", running(text)));
        self.headings.push(Heading { text: text.to_owned(), id, level });
        self
    }

    /// An address for a heading: its words, and a number if that is taken.
    fn free_id(&self, text: &str) -> String {
        let taken: BTreeSet<&str> = self.headings.iter().map(|heading| &heading.id[..]).collect();
        let slug = slug(text);
        let numbered = (2..).map(|number| format!("{slug}-{number}"));
        let mut candidates = core::iter::once(slug.clone()).chain(numbered);
        candidates.find(|id| !taken.contains(&id[..])).expect("the numbers do not run out")
    }

    /// A page with a single section is its own table of contents.
    fn contents(&self) -> String {
        if self.headings.len() < 2 {
            return String::new();
        }
        let mut contents = String::from("<nav aria-label=\"Contents\">\n<ul>\n");
        for Heading { text, id, level } in &self.headings {
            let class = match level {
                Level::Outer => "",
                Level::Inner => " class=\"inner\"",
            };
            let text = running(text);
            contents.push_str(&format!("<li{class}><a href=\"#{id}\">{text}</a></li>\n"));
        }
        contents + "</ul>\n</nav>\n"
    }
}

/// Lower-case letters and digits, with a hyphen for everything between.
fn slug(text: &str) -> String {
    let lower = text.to_lowercase();
    let words = lower.split(|letter: char| !letter.is_ascii_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    if words.is_empty() { "section".to_owned() } else { words.join("-") }
}

/// Escaped text with the parts between backticks as code. A backtick without a partner is itself.
fn running(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    // With an even number of parts, the last backtick has no partner.
    let n_paired = if parts.len().is_multiple_of(2) { parts.len() - 2 } else { parts.len() - 1 };
    let mut html = String::new();
    for (at, part) in parts.iter().enumerate() {
        let part = escape(part);
        html.push_str(&match at {
            at if at % 2 == 1 && at < n_paired => format!("<code>{part}</code>"),
            at if at % 2 == 1 => format!("`{part}"),
            _ => part,
        });
    }
    html
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::{Axis, Ink, Panel, Point, Series};
    use crate::markup::assert_well_formed;
    use crate::table::Cell;

    fn figure() -> Figure {
        let curve = Series::measured("RL", Ink::default(), vec![Point::new(1.0, 2.0)]);
        let panel = Panel::new("zero", Axis::linear("x"), Axis::linear("y")).with_series(curve);
        Figure::new("Figure").with_panel(panel)
    }

    fn page() -> Page {
        let mut table = Table::new("Table", ["name", "value"]);
        table.row([Cell::text("RL"), Cell::number(1)]);
        let mut page = Page::new("Results & more");
        page.heading("Time").paragraph("Run `driftlock lab` first.").table(&table);
        page.subheading("By load").figure(&figure(), "Caption < here.");
        page.heading("Messages").preformatted("driftlock run --seed 1 > out\n");
        page.details("All runs", |page| {
            page.list(["one", "two & three"]).table(&table);
        });
        page
    }

    #[test]
    fn the_page_is_well_formed_and_deterministic() {
        let html = page().html();
        let style_start = html.find("<style>").unwrap();
        let style_end = html.find("</style>").unwrap();
        // Style sheets are not markup: '>' and quotes mean something else there.
        assert_well_formed(&format!("{}{}", &html[..style_start], &html[style_end + 8..]));
        assert_eq!(html, page().html());
    }

    #[test]
    fn everything_is_on_the_page_once() {
        let html = page().html();
        for part in [
            "<title>Results &amp; more</title>",
            "<h1>Results &amp; more</h1>",
            "<p>Run <code>driftlock lab</code> first.</p>",
            "<figcaption>Caption &lt; here.</figcaption>",
            "<pre><code>driftlock run --seed 1 &gt; out</code></pre>",
            "<summary>All runs</summary>",
            "<li>two &amp; three</li>",
            "<svg ",
        ] {
            assert_eq!(html.matches(part).count(), 1, "{part}");
        }
    }

    #[test]
    fn the_contents_link_to_every_heading() {
        let html = page().html();
        for id in ["time", "by-load", "messages"] {
            assert_eq!(html.matches(&format!("id=\"{id}\"")).count(), 1, "{id}");
            assert_eq!(html.matches(&format!("href=\"#{id}\"")).count(), 1, "{id}");
        }
        assert!(html.contains("<li class=\"inner\"><a href=\"#by-load\">By load</a></li>"));
    }

    #[test]
    fn nothing_outside_the_page_is_referred_to() {
        let html = page().html().replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
        for reference in ["http:", "https:", "//", "src=", "url(", "@import", "<link", "<script"] {
            assert!(!html.contains(reference), "{reference}");
        }
    }

    #[test]
    fn headings_of_equal_text_have_addresses_of_their_own() {
        let mut page = Page::new("p");
        page.heading("Load 2").heading("Load").heading("Load").heading("λ");
        let ids: Vec<&str> = page.headings.iter().map(|heading| &heading.id[..]).collect();
        assert_eq!(ids, ["load-2", "load", "load-3", "section"]);
    }

    #[test]
    fn running_text_is_escaped_and_codes_are_paired() {
        assert_eq!(running("a `b<c` d"), "a <code>b&lt;c</code> d");
        assert_eq!(running("it`s"), "it`s");
        assert_eq!(running("`a` and `"), "<code>a</code> and `");
        assert_eq!(running("<script>alert(1)</script>"), "&lt;script&gt;alert(1)&lt;/script&gt;");
        assert_eq!(running(""), "");
    }

    #[test]
    fn an_empty_page_is_a_page() {
        let html = Page::new("").html();
        assert!(html.contains("<main>\n</main>"));
        assert!(!html.contains("<nav"));
    }
}
