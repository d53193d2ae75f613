import Foundation

/// What a program printed, drawn as a terminal window.
struct Terminal {
  static let columns = 84
  let command: String
  let lines: [String]

  /// - Parameter output: Its ports and folders differ in each run, and are replaced.
  init(command: String, output: String, lines count: Int) {
    self.command = command
    let output = output.replacing(#/127\.0\.0\.1:\d+/#, with: "127.0.0.1:8080")
      .replacing(#/\/[^ ]*larder-demo-[0-9A-F-]+/#, with: "/tmp/demo")
    var lines = output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.count > count {
      // The steps at the beginning, and the last line, which says how the demo ended.
      let last = lines.last { !$0.isEmpty } ?? ""
      lines = lines.prefix(count - 3).reversed().drop { $0.isEmpty }.reversed() + ["", "  …", "", last]
    }
    self.lines = lines
  }

  var document: String {
    let height = 66 + (lines.count + 1) * 18
    let width = Self.columns * 8 + 40
    var text = [row(0, "<tspan fill=\"#7ee0a0\">$</tspan> \(escaped(command))", bold: true)]
    for (index, line) in lines.enumerated() where !line.isEmpty {
      text.append(row(index + 1, escaped(line), bold: !line.hasPrefix(" ")))
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" height="\(height)" role="img" \
      font-family="ui-monospace, Menlo, 'DejaVu Sans Mono', monospace" font-size="13" fill="#d8dade">
      <title>\(escaped(command))</title>
      <rect x="0.5" y="0.5" width="\(width - 1)" height="\(height - 1)" rx="10" fill="#1a1c20" stroke="#50555c"/>
      <circle cx="22" cy="20" r="6" fill="#e0645c"/><circle cx="42" cy="20" r="6" fill="#e0b040"/>\
      <circle cx="62" cy="20" r="6" fill="#58b868"/>
      \(text.joined(separator: "\n"))
      </svg>

      """
  }

  private func row(_ index: Int, _ text: String, bold: Bool) -> String {
    let weight = bold ? " font-weight='600' fill='#ffffff'" : ""
    return "<text x='20' y='\(56 + index * 18)' xml:space='preserve'\(weight)>\(text)</text>"
  }
}
