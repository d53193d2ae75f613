import Foundation
import Synchronization

/// An input line in a terminal with the results below it, redrawn after every key.
public struct SearchField {
  private let prompt: String
  private let file: FileHandle
  private let terminal: Terminal
  /// Whether results are shown below the line. This is false if the results are printed as output.
  public let showsFindings: Bool
  private var isDrawn = false

  /// - Returns: Nil if there is no terminal to draw on.
  public init?(_ prompt: String, _ console: Console) {
    self.prompt = prompt
    showsFindings = !console.json && console.terminal.columns != nil
    file = showsFindings ? .standardOutput : .standardError
    terminal = showsFindings ? console.terminal : Terminal(of: STDERR_FILENO)
    if terminal.columns == nil { return nil }
    Keyboard.screen.store(file.fileDescriptor, ordering: .relaxed)
  }

  /// Draws the line and the lines below it, replacing the previous drawing.
  ///
  /// - Parameter lines: Returns the lines to draw below the input line for the given number of columns.
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

  /// Removes the line, so that something else can be written in its place.
  public mutating func clear() {
    if isDrawn { Console.put("\r\u{1B}[J", to: file) }
    Keyboard.linesBelow.store(-1, ordering: .relaxed)
    isDrawn = false
  }

  /// Leaves the drawing on the screen and continues below it.
  public mutating func leave(_ text: String, below lines: (_ columns: Int) -> [String]) {
    clear()
    let below = lines(Terminal.size(of: file.fileDescriptor).columns)
    Console.put(
      (["\(terminal.bold(prompt)) \(TextLayout.printable(text))"] + below).joined(separator: "\n") + "\n", to: file)
  }
}
