import Foundation
import Synchronization

/// The terminal on standard input, set to deliver each key when it is pressed, without echo.
///
/// The terminal is restored no matter whether the process ends normally, by Ctrl-C, by a signal or by a crash.
/// Otherwise, the shell would be left without an echo.
enum Keyboard {
  /// The signals that end a process by default, sent by others or caused by a crash.
  private static let signals = [
    SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP,
  ]

  /// The original settings. Written once by `open()`, before a second thread or a signal handler reads them.
  nonisolated(unsafe) private static var before: termios?

  /// The descriptor of the screen on which the input line is drawn.
  static let screen = Atomic<Int32>(STDOUT_FILENO)
  /// The number of lines below the input line, or a negative number if the line is not drawn.
  static let linesBelow = Atomic<Int>(-1)

  /// Sets the terminal to deliver each key when it is pressed, instead of whole lines. Call this method once, before
  /// any call to `close()`.
  ///
  /// - Returns: True if standard input is a terminal and now delivers each key when it is pressed.
  static func open() -> Bool {
    var settings = termios()
    guard isatty(STDIN_FILENO) == 1, tcgetattr(STDIN_FILENO, &settings) == 0 else { return false }
    before = settings
    atexit { Keyboard.close() }
    for number in signals { signal(number) { Keyboard.end(by: $0) } }
    // If the reader of the results exits, the process must not end before the terminal is restored.
    signal(SIGPIPE, SIG_IGN)
    // Ctrl-C is delivered as a key.
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
    return tcsetattr(STDIN_FILENO, TCSANOW, &settings) == 0
  }

  /// Restores the terminal. Calling it twice is harmless.
  static func close() {
    guard var settings = before else { return }
    tcsetattr(STDIN_FILENO, TCSANOW, &settings)
  }

  /// Ends the process as this signal would have, after restoring the terminal and moving the cursor below the drawing.
  /// It calls only functions that are allowed in a signal handler.
  static func end(by number: Int32) {
    let (screen, below) = (screen.load(ordering: .relaxed), linesBelow.exchange(-1, ordering: .relaxed))
    if below >= 0 { for _ in 0...below { write(screen, "\r\n", 2) } }
    close()
    signal(number, SIG_DFL)
    kill(getpid(), number)
  }
}
