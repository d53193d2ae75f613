import Foundation

/// The text that the user types, after each key in a terminal or line by line in a pipe.
public enum Typing {
  /// Sets the terminal on standard input to deliver single keys without echo.
  ///
  /// - Returns: False if standard input is not a terminal.
  public static func open() -> Bool { Keyboard.open() }

  /// Restores the terminal.
  public static func close() { Keyboard.close() }

  /// Reports the typed text each time it changes, on a separate thread, because reading blocks.
  ///
  /// - Parameters:
  ///   - change: Called with the whole text.
  ///   - end: Called at the end of input, after Return or Ctrl-D. Ctrl-C ends the process instead.
  public static func follow(
    _ change: @escaping @Sendable (String) -> Void, atEnd end: @escaping @Sendable () -> Void
  ) {
    Thread.detachNewThread {
      readKeys(change)
      end()
    }
  }

  /// The lines of standard input, as they arrive.
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
