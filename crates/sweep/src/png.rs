//! Figures as pixels: [`png`].

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

/// An SVG as PNG, so many times as large. Its text is in DejaVu Sans, which is in the program: no
/// font of the machine is used, so the pixels are the same on every one.
pub fn png(svg: &str, scale: f32) -> Result<Vec<u8>, String> {
    let mut options = Options { font_family: "DejaVu Sans".into(), ..Options::default() };
    let fonts = options.fontdb_mut();
    fonts.load_font_data(dejavu::sans::regular().to_vec());
    fonts.load_font_data(dejavu::sans::bold().to_vec());
    fonts.set_sans_serif_family("DejaVu Sans");
    let tree = Tree::from_str(svg, &options).map_err(|error| error.to_string())?;
    let size = tree.size().to_int_size().scale_by(scale);
    let size = size.ok_or_else(|| "the figure has no size".to_owned())?;
    let mut pixels = Pixmap::new(size.width(), size.height())
        .ok_or_else(|| "the figure is too large".to_owned())?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| error.to_string())
}
