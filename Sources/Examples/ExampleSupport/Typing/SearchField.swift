import Foundation
import Synchronization

/// A line at a terminal that is typed into, and what was found below it; drawn anew with every key.
public struct SearchField {
  private let prompt: String
  private let file: FileHandle
  private let terminal: Terminal
  /// Whether what was found is shown below the line: not where it is printed as a result.
  public let showsFindings: Bool
  private var isDrawn = false

  /// - Returns: Nil where there is no terminal to draw on.
  public init?(_ prompt: String, _ console: Console) {
    self.prompt = prompt
    showsFindings = !console.json && console.terminal.columns != nil
    file = showsFindings ? .standardOutput : .standardError
    terminal = showsFindings ? console.terminal : Terminal(of: STDERR_FILENO)
    if terminal.columns == nil { return nil }
    Keyboard.screen.store(file.fileDescriptor, ordering: .relaxed)
  }

  /// Draws the line and what is below, in place of what was there.
  ///
  /// - Parameter lines: What is below, in so many columns.
  public mutating func show(_ text: String, below lines: (_ columns: Int) -> [String]) {
    let size = Terminal.size(of: file.fileDescriptor)
    let room = max(1, size.columns - TextLayout.width(of: prompt) - 3)
    let shown = TextLayout.end(of: TextLayout.printable(text), within: room)
    let field = "\(terminal.bold(prompt)) \(shown)"
    let below = lines(size.columns).prefix(max(0, size.rows - 2))
    var drawing = "\r\u{1B}[J" + field
    for line in below { drawing += "\r\n" + line }
    // Back to where the next character will stand.
    if !below.isEmpty { drawing += "\u{1B}[\(below.count)A" }
    drawing += "\r\u{1B}[\(TextLayout.width(of: prompt) + 1 + TextLayout.width(of: shown))C"
    // Before it is drawn: one line too many, for a signal that comes in between, does no harm.
    Keyboard.linesBelow.store(below.count, ordering: .relaxed)
    Console.put(drawing, to: file)
    isDrawn = true
  }

  /// Takes the line away, so that something else can be written in its place.
  public mutating func clear() {
    if isDrawn { Console.put("\r\u{1B}[J", to: file) }
    Keyboard.linesBelow.store(-1, ordering: .relaxed)
    isDrawn = false
  }

  /// Leaves everything as it is, and goes on below.
  public mutating func leave(_ text: String, below lines: (_ columns: Int) -> [String]) {
    clear()
    let below = lines(Terminal.size(of: file.fileDescriptor).columns)
    Console.put(
      (["\(terminal.bold(prompt)) \(TextLayout.printable(text))"] + below).joined(separator: "\n") + "\n", to: file)
  }
}
