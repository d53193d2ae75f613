import Foundation

/// What is typed: as it is after each key at a terminal, or line by line in a pipe.
public enum Typing {
  /// Makes the terminal that standard input is hand over keys one by one, and show none of them by itself.
  ///
  /// - Returns: False where standard input is no terminal.
  public static func open() -> Bool { Keyboard.open() }

  /// Lets the terminal work as it did before.
  public static func close() { Keyboard.close() }

  /// Hands over what a search field would hold, each time that changes, on a thread of its own, since reading waits.
  ///
  /// - Parameters:
  ///   - change: Gets the whole text.
  ///   - end: Called when no more comes, after Return or Ctrl-D. Ctrl-C ends the process instead.
  public static func follow(
    _ change: @escaping @Sendable (String) -> Void, atEnd end: @escaping @Sendable () -> Void
  ) {
    Thread.detachNewThread {
      readKeys(change)
      end()
    }
  }

  /// The lines of standard input, as they come.
  public static var lines: AsyncStream<String> {
    let (lines, line) = AsyncStream.makeStream(of: String.self)
    Thread.detachNewThread {
      while let text = readLine() { line.yield(text) }
      line.finish()
    }
    return lines
  }

  private static func readKeys(_ change: (String) -> Void) {
    var typed = TypedText()
    var bytes = [UInt8](repeating: 0, count: 256)
    while true {
      let count = read(STDIN_FILENO, &bytes, bytes.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      for byte in bytes[..<count] {
        switch typed.take(byte) {
        case .changed(let text): change(text)
        case .ended: return
        case .interrupted: return Keyboard.end(by: SIGINT)
        case nil: break
        }
      }
    }
  }
}
