/// Collects the elements of a picture as SVG.
struct Canvas {
  let palette: Palette
  private(set) var elements: [String] = []

  init(_ palette: Palette) { self.palette = palette }

  /// A rounded box. The first line of its text is bold if there are more.
  mutating func box(_ x: Int, _ y: Int, _ width: Int, _ height: Int, _ text: String, _ style: Style = .plain) {
    let colours = palette.fills[style] ?? (palette.ink, palette.ink)
    elements.append(
      #"<rect x="\#(x)" y="\#(y)" width="\#(width)" height="\#(height)" rx="7" fill="\#(colours.fill)" "#
        + #"stroke="\#(colours.edge)" stroke-width="1.5"/>"#)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard style != .lane else { return label(x + 12, y + 21, text, bold: true) }
    let top = y + height / 2 - (lines.count - 1) * 9 + 5
    for (index, line) in lines.enumerated() {
      label(
        x + width / 2, top + index * 18, String(line), anchor: "middle", bold: index == 0 && lines.count > 1,
        quiet: index > 0)
    }
  }

  mutating func label(
    _ x: Int, _ y: Int, _ text: String, anchor: String = "start", bold: Bool = false, quiet: Bool = false
  ) {
    elements.append(
      #"<text x="\#(x)" y="\#(y)" text-anchor="\#(anchor)" font-size="\#(quiet ? 12 : 13)" "#
        + #"fill="\#(quiet ? palette.quiet : palette.ink)"\#(bold ? #" font-weight="600""# : "")>\#(escaped(text))</text>"#
    )
  }

  /// A line through points that ends in an arrowhead.
  mutating func arrow(_ points: (Int, Int)..., dashed: Bool = false, head: Bool = true) {
    let list = points.map { "\($0.0),\($0.1)" }.joined(separator: " ")
    elements.append(
      #"<polyline points="\#(list)" fill="none" stroke="\#(palette.line)" stroke-width="1.5""#
        + (dashed ? #" stroke-dasharray="5 4""# : "") + (head ? #" marker-end="url(#head)""# : "") + "/>")
  }

  func document(_ picture: Picture) -> String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(picture.width) \(picture.height)" \
    width="\(picture.width)" height="\(picture.height)" role="img" \
    font-family="-apple-system, 'Helvetica Neue', 'DejaVu Sans', Arial, sans-serif">
    <title>\(escaped(picture.title))</title>
    <defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">\
    <path d="M0,0.5 L7.5,4 L0,7.5 z" fill="\(palette.line)"/></marker></defs>
    \(elements.joined(separator: "\n"))
    </svg>

    """
  }
}

func escaped(_ text: String) -> String {
  text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
}
