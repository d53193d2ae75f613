import Foundation

/// What somebody types, as it stands after each key at a terminal, and line by line in a pipe.
public enum Typing {
  /// Hands over what a search field would hold, each time that changes, on a thread of its own, since reading waits.
  ///
  /// - Parameters:
  ///   - change: Told the whole text.
  ///   - end: Told that no more comes: after Return or Ctrl-D, or at the end of the pipe. Ctrl-C ends the process instead.
  /// - Returns: Whether keys are read one by one, and the terminal shows none of them by itself.
  @discardableResult public static func follow(
    _ change: @escaping @Sendable (String) -> Void, atEnd end: @escaping @Sendable () -> Void
  ) -> Bool {
    let isKeyboard = Keyboard.open()
    Thread.detachNewThread {
      if isKeyboard { readKeys(change) } else { while let line = readLine() { change(line) } }
      end()
    }
    return isKeyboard
  }

  /// Lets the terminal work as it did before.
  public static func close() { Keyboard.close() }

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
