import Foundation

/// A web page that shows photos. It loads only its own pictures, and no external scripts, fonts or styles.
struct GalleryPage {
  /// A photo and its picture file next to the page. The file is nil if the picture could not be loaded.
  typealias Entry = (photo: PhotoRow, picture: String?)

  let entries: [Entry]

  var html: String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src 'self'; style-src 'unsafe-inline'">
    <title>Where people take photos</title>
    <style>\(Self.style)</style>
    </head>
    <body>
    <h1>Where people take photos</h1>
    \(MapPicture(positions: entries.compactMap(\.photo.position), dot: 2).svg)
    <ul>
    \(entries.map(item).joined(separator: "\n"))
    </ul>
    </body>
    </html>

    """
  }

  private func item(_ entry: Entry) -> String {
    let photo = entry.photo
    let title = Self.escaped(photo.shownTitle)
    let picture = entry.picture.map {
      "<img src=\"\(Self.escaped($0))\" width=\"150\" height=\"150\" alt=\"\(title)\">"
    }
    let map = photo.position.map { MapPicture(positions: [$0], dot: 9).svg }
    return """
      <li>\(picture ?? "<div class=\"none\">no picture</div>")
      <h2>\(title)</h2>
      <p>\(Self.escaped(photo.owner))<br>\(Self.escaped(photo.shownRegion))<br><small>\(photo.shownDate)</small></p>
      \(map ?? "")</li>
      """
  }

  /// Escapes text from photographers, so that it is never interpreted as markup.
  static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
  }

  private static let style = """
    body{font:15px/1.4 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;color:#222;background:#fafaf8}
    ul{display:grid;grid-template-columns:repeat(auto-fill,minmax(150px,1fr));gap:1.5rem;list-style:none;padding:0}
    h1{font-size:1.4rem}h2{font-size:1rem;margin:.5rem 0 0;overflow-wrap:anywhere}p{margin:.2rem 0;overflow-wrap:anywhere}
    img,.none{display:block;width:150px;height:150px;border-radius:4px;background:#ddd}
    .none{display:grid;place-items:center;color:#777}
    .map{display:block;width:100%;max-width:40rem;background:#e8eef2}li .map{width:150px}
    .net{fill:none;stroke:#c5d2da;stroke-width:.5}.equator{fill:none;stroke:#8fa6b3;stroke-width:.8}
    circle{fill:#c0392b;fill-opacity:.75}
    """
}
