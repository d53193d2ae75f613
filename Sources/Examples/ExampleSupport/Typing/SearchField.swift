import Foundation
import Synchronization

/// An input line in a terminal, with search results below it. The line and the results are redrawn after every key
/// press.
public struct SearchField {
  private let prompt: String
  private let file: FileHandle
  private let terminal: Terminal
  /// Whether results are shown below the input line. If `--json` is passed or standard output is not a terminal, the
  /// results are written to standard output instead.
  public let showsFindings: Bool
  private var isDrawn = false

  /// - Returns: Nil if there is no terminal on which the input line can be drawn.
  public init?(_ prompt: String, _ console: Console) {
    self.prompt = prompt
    showsFindings = !console.json && console.terminal.columns != nil
    file = showsFindings ? .standardOutput : .standardError
    terminal = showsFindings ? console.terminal : Terminal(of: STDERR_FILENO)
    if terminal.columns == nil { return nil }
    Keyboard.screen.store(file.fileDescriptor, ordering: .relaxed)
  }

  /// Draws the input line with the given text and the lines below it, replacing the previous drawing.
  ///
  /// - Parameter lines: A function that receives the width of the terminal in columns and returns the lines to draw
  ///   below the input line.
  public mutating func show(_ text: String, below lines: (_ columns: Int) -> [String]) {
    let size = Terminal.size(of: file.fileDescriptor)
    let room = max(1, size.columns - TextLayout.width(of: prompt) - 3)
    let shown = TextLayout.end(of: TextLayout.printable(text), within: room)
    let field = "\(terminal.bold(prompt)) \(shown)"
    let below = lines(size.columns).prefix(max(0, size.rows - 2))
    var drawing = "\r\u{1B}[J" + field
    for line in below { drawing += "\r\n" + line }
    // Move the cursor back to the input position.
    if !below.isEmpty { drawing += "\u{1B}[\(below.count)A" }
    drawing += "\r\u{1B}[\(TextLayout.width(of: prompt) + 1 + TextLayout.width(of: shown))C"
    // The number is stored before drawing, because one line too many does no harm if a signal arrives in between.
    Keyboard.linesBelow.store(below.count, ordering: .relaxed)
    Console.put(drawing, to: file)
    isDrawn = true
  }

  /// Removes the input line and the lines below it, so that other output can be written in their place.
  public mutating func clear() {
    if isDrawn { Console.put("\r\u{1B}[J", to: file) }
    Keyboard.linesBelow.store(-1, ordering: .relaxed)
    isDrawn = false
  }

  /// Draws the input line and the lines below it for the last time. Later output is written below them.
  public mutating func leave(_ text: String, below lines: (_ columns: Int) -> [String]) {
    clear()
    let below = lines(Terminal.size(of: file.fileDescriptor).columns)
    Console.put(
      (["\(terminal.bold(prompt)) \(TextLayout.printable(text))"] + below).joined(separator: "\n") + "\n", to: file)
  }
}
