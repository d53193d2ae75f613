import Foundation

/// Reads the text that the user types. In a terminal, the text is reported after each key press. From a pipe, it is
/// read line by line.
public enum Typing {
  /// Sets the terminal on standard input to deliver each key when it is pressed, without showing it.
  ///
  /// - Returns: False if standard input is not a terminal.
  public static func open() -> Bool { Keyboard.open() }

  /// Restores the terminal.
  public static func close() { Keyboard.close() }

  /// Reports the typed text each time it changes. Because reading blocks a thread, the functions are called on a
  /// separate thread.
  ///
  /// - Parameters:
  ///   - change: Called with the whole text after each change.
  ///   - end: Called when the input ends or the user presses Return or Ctrl-D. If the user presses Ctrl-C, the process
  ///     ends and the function is not called.
  public static func follow(
    _ change: @escaping @Sendable (String) -> Void, atEnd end: @escaping @Sendable () -> Void
  ) {
    Thread.detachNewThread {
      readKeys(change)
      end()
    }
  }

  /// The lines of standard input, each delivered as soon as it has been read.
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
