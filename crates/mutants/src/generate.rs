//! How mutants get into a source: [`generate`].
//!
//! Every place that a mutant alters becomes a `match` on the number of the mutant. So there is one
//! type for all mutants of a protocol, and it is compiled once.

use std::iter::once;
use std::ops::Range;

use crate::table::Source;

/// A place in the text, and what mutants put there.
struct Site<'m> {
    place: Range<usize>,
    /// The number of the mutant is read from here.
    number: &'static str,
    alterations: Vec<Alteration<'m>>,
}

struct Alteration<'m> {
    number: usize,
    name: &'m str,
    replace: &'m str,
}

/// The text of a protocol with all its mutants in it. If a mutant has lost its place, the error
/// says which.
pub fn generate(source: &Source, text: &str) -> Result<String, String> {
    let mut text = without_comments(text).replace("feature = \"serde\"", "all()");
    for &(find, replace) in source.plumbing {
        let place = only(&text, 0..text.len(), find)
            .map_err(|what| format!("{}: the plumbing: {what}", source.name))?;
        text.replace_range(place, replace);
    }
    let mut sites: Vec<Site<'_>> = Vec::new();
    for (number, mutant) in (1..).zip(source.mutants()) {
        let first = (mutant.within, mutant.find, mutant.replace);
        for &(within, find, replace) in once(&first).chain(mutant.also) {
            let site = place(&text, within, find).map_err(|what| {
                format!("{}: look at the mutant \"{}\": {what}", source.name, mutant.name)
            })?;
            let alteration = Alteration { number, name: mutant.name, replace };
            match sites.iter_mut().find(|other| other.place == site.place) {
                Some(other) => other.alterations.push(alteration),
                None => sites.push(Site { alterations: vec![alteration], ..site }),
            }
        }
    }
    // Outer places come before those inside them.
    sites.sort_by_key(|site| (site.place.start, usize::MAX - site.place.end));
    for pair in sites.windows(2) {
        let (one, other) = (&pair[0], &pair[1]);
        if other.place.start < one.place.end && other.place.end > one.place.end {
            let [one, other] = [one, other].map(|site| site.alterations[0].name);
            let name = source.name;
            return Err(format!("{name}: \"{one}\" and \"{other}\" overlap, neither is inside"));
        }
    }
    Ok(write(&text, 0..text.len(), &sites))
}

/// The text of a range, each of the sites inside it as a `match`.
fn write(text: &str, range: Range<usize>, mut sites: &[Site<'_>]) -> String {
    let mut written = String::new();
    let mut done = range.start;
    while let Some((site, rest)) = sites.split_first() {
        let inner = rest.iter().take_while(|inner| inner.place.start < site.place.end).count();
        written += &text[done..site.place.start];
        // A call may stand wherever an expression may; a bare `match` may not.
        let is_statement = text[site.place.clone()].ends_with([';', '}']);
        let (open, close) = if is_statement { ("", "") } else { ("core::convert::identity(", ")") };
        written += &format!("{open}match {} {{\n", site.number);
        for Alteration { number, name, replace } in &site.alterations {
            written += &format!("// {name}\n{number} => {{ {replace} }}\n");
        }
        let original = write(text, site.place.clone(), &rest[..inner]);
        written += &format!("_ => {{ {original} }}\n}}{close}");
        done = site.place.end;
        sites = &rest[inner..];
    }
    written + &text[done..range.end]
}

fn place<'m>(text: &str, within: &str, find: &str) -> Result<Site<'m>, String> {
    let head = only(text, 0..text.len(), &format!("fn {within}"))?;
    let body = head.start + text[head.start..].find('{').ok_or("a function without a body")?;
    let end = body + block(&text[body..]).ok_or("a function without an end")?;
    let place = only(text, body..end, find)?;
    let header = &text[head.start..body];
    let is_its_own = header.contains("self") && !header.contains("mutant: u32");
    let number = if is_its_own { "self.mutant" } else { "mutant" };
    Ok(Site { place, number, alterations: Vec::new() })
}

/// The length of the block that `text` starts with.
fn block(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (k, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(k + 1);
        }
    }
    None
}

/// The one place in a range of `text` where `find` is. A space stands for any white space.
fn only(text: &str, range: Range<usize>, find: &str) -> Result<Range<usize>, String> {
    let starts = text[range.clone()].char_indices().map(|(k, _)| range.start + k);
    let places: Vec<Range<usize>> = starts
        .filter_map(|start| Some(start..start + starts_with(&text[start..range.end], find)?))
        .collect();
    match &places[..] {
        [place] => Ok(place.clone()),
        [] => Err(format!("`{find}` is no longer there")),
        _ => Err(format!("`{find}` is there {} times", places.len())),
    }
}

/// If `text` starts with `find`, as whole words, the length of that.
fn starts_with(text: &str, find: &str) -> Option<usize> {
    let mut rest = text;
    for (k, word) in find.split_whitespace().enumerate() {
        let trimmed = rest.trim_start();
        if (k == 0) != (trimmed.len() == rest.len()) {
            return None;
        }
        rest = trimmed.strip_prefix(word)?;
    }
    let is_of_name = |c: char| c.is_alphanumeric() || c == '_';
    let cut = find.ends_with(is_of_name) && rest.starts_with(is_of_name);
    (!cut).then_some(text.len() - rest.len())
}

/// Comments would come between the words that are looked for. No string of a protocol has two
/// slashes in it.
fn without_comments(text: &str) -> String {
    text.lines().map(|line| line.split("//").next().unwrap_or_default().trim_end()).fold(
        String::new(),
        |mut text, line| {
            if !line.is_empty() {
                text += line;
                text += "\n";
            }
            text
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Mutant, mutant};

    const TEXT: &str =
        "struct A;\n/// Doc.\nfn a(&self) {\n    if b\n        < 1 { c(); } // 2\n}\n";

    fn generated(mutants: &'static [&'static [Mutant]]) -> Result<String, String> {
        let plumbing = &[("struct A;", "struct A { mutant: u32 }")];
        generate(&Source { name: "p", parts: &[], plumbing, mutants }, TEXT)
    }

    #[test]
    fn places_become_matches_and_may_be_nested() {
        const MUTANTS: &[&[Mutant]] = &[&[
            mutant("no c", "a", "c();", ""),
            mutant("other", "a", "if b < 1 { c(); }", "d();"),
            mutant("two", "a", "c();", "c(); c();"),
        ]];
        let text = generated(MUTANTS).unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(
            text,
            "struct A { mutant: u32 } fn a(&self) { match self.mutant { // other 2 => { d(); } \
            _ => { if b < 1 { match self.mutant { // no c 1 => { } // two 3 => { c(); c(); } \
            _ => { c(); } } } } } }"
        );
    }

    #[test]
    fn a_mutant_that_has_lost_its_place_is_named() {
        const LOST: &[&[Mutant]] = &[&[mutant("gone", "a", "b > 1", "")]];
        const FUNCTION: &[&[Mutant]] = &[&[mutant("no function", "aa", "c();", "")]];
        const TWICE: &[&[Mutant]] = &[&[mutant("twice", "a", "{", "")]];
        const OVERLAP: &[&[Mutant]] =
            &[&[mutant("x", "a", "b < 1", ""), mutant("y", "a", "1 {", "")]];
        let error = |mutants| generated(mutants).unwrap_err();
        assert_eq!(error(LOST), "p: look at the mutant \"gone\": `b > 1` is no longer there");
        assert!(error(FUNCTION).ends_with("\"no function\": `fn aa` is no longer there"));
        assert!(error(TWICE).ends_with("\"twice\": `{` is there 2 times"));
        assert_eq!(error(OVERLAP), "p: \"x\" and \"y\" overlap, neither is inside");
    }

    #[test]
    fn a_function_that_is_told_the_number_goes_by_that() {
        const MUTANTS: &[&[Mutant]] = &[&[mutant("no c", "a", "c();", "")]];
        let plumbing = &[("fn a(&self)", "fn a(&self, mutant: u32)")];
        let source = Source { name: "p", parts: &[], plumbing, mutants: MUTANTS };
        let text = generate(&source, TEXT).unwrap();
        assert!(text.contains("match mutant {") && !text.contains("self.mutant"), "{text}");
    }

    #[test]
    fn words_are_whole() {
        assert_eq!(starts_with("on_request_cs()", "on_request"), None);
        assert_eq!(starts_with("on_request(x)", "on_request"), Some(10));
        assert_eq!(starts_with("a  <\n b;", "a < b;"), Some(8));
    }
}
