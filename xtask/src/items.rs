//! Items in the code layer of a Rust text, found by their keyword and their braces.

use std::ops::Range;

use crate::text::{is_of_name, occurrences};

/// A function, a structure or a module.
#[derive(Debug)]
pub(crate) struct Item<'a> {
    /// Its name.
    pub(crate) name: &'a str,
    /// From its keyword to its last brace or semicolon.
    pub(crate) place: Range<usize>,
}

/// The items that `keyword` (`fn`, `struct`, `mod`) introduces, in order.
pub(crate) fn items<'a>(code: &'a str, keyword: &str) -> Vec<Item<'a>> {
    let item = |start: usize| {
        let name = code[start + keyword.len()..].trim_start();
        let name = &name[..name.find(|c| !is_of_name(c)).unwrap_or(name.len())];
        (!name.is_empty()).then(|| Item { name, place: start..end_of_item(code, start) })
    };
    occurrences(code, keyword).into_iter().filter_map(item).collect()
}

/// The items that are compiled for tests only, with the attribute that says so.
pub(crate) fn tests(code: &str) -> Vec<Range<usize>> {
    let starts = ["#[cfg(test)]", "#[cfg(all(test,"].map(|attribute| code.match_indices(attribute));
    starts.into_iter().flatten().map(|(start, _)| start..end_of_item(code, start)).collect()
}

/// An item ends with a semicolon, or with the brace that closes its body.
fn end_of_item(code: &str, start: usize) -> usize {
    let (mut braces, mut others) = (0, 0);
    for (k, byte) in code.bytes().enumerate().skip(start) {
        match byte {
            b'(' | b'[' => others += 1,
            b')' | b']' => others -= 1,
            b'{' => braces += 1,
            b'}' => braces -= 1,
            _ => {}
        }
        let is_last = matches!(byte, b'}' | b';') && others == 0;
        if is_last && braces == 0 {
            return k + 1;
        }
    }
    code.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts<'a>(code: &'a str, keyword: &str) -> Vec<&'a str> {
        items(code, keyword).into_iter().map(|item| &code[item.place]).collect()
    }

    #[test]
    fn an_item_ends_where_its_body_does() {
        let code = "fn a(b: [u8; 3], c: fn(u8)) { if d {} } fn e();";
        assert_eq!(texts(code, "fn"), ["fn a(b: [u8; 3], c: fn(u8)) { if d {} }", "fn e();"]);
        let names: Vec<_> = items(code, "fn").into_iter().map(|item| item.name).collect();
        assert_eq!(names, ["a", "e"]);
        assert_eq!(texts("mod a; mod b { mod c; }", "mod").len(), 3);
        assert_eq!(texts("struct A(B); struct C<D> { e: F }", "struct").len(), 2);
    }

    #[test]
    fn tests_reach_to_the_end_of_their_item() {
        let code = "fn a() {} #[cfg(test)] mod tests { fn b() {} } fn c() {}";
        let tests = tests(code);
        assert_eq!(tests.len(), 1);
        assert_eq!(&code[tests[0].clone()], "#[cfg(test)] mod tests { fn b() {} }");
    }
}
