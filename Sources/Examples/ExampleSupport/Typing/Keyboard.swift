import Foundation
import Synchronization

/// The terminal that standard input is, set to hand over each key as it is pressed and to show none.
///
/// However the process ends, by its own will, by Ctrl-C, asked to by a signal or by a fault of its own, the terminal is
/// given back as it was: a shell without an echo is a nuisance.
enum Keyboard {
  /// What ends a process unless it says otherwise, sent by others or by a fault of its own.
  private static let signals = [
    SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP,
  ]

  /// How the terminal was set. Written once by `open()`, before a second thread or a signal handler reads it.
  nonisolated(unsafe) private static var before: termios?

  /// Where the line is drawn that is typed into.
  static let screen = Atomic<Int32>(STDOUT_FILENO)
  /// How many lines are below it; negative where it is not drawn.
  static let linesBelow = Atomic<Int>(-1)

  /// To be called once, and before anybody calls `close()`.
  ///
  /// - Returns: Whether standard input is a terminal, and hands over keys from now on.
  static func open() -> Bool {
    var settings = termios()
    guard isatty(STDIN_FILENO) == 1, tcgetattr(STDIN_FILENO, &settings) == 0 else { return false }
    before = settings
    atexit { Keyboard.close() }
    for number in signals { signal(number) { Keyboard.end(by: $0) } }
    // A reader of the results that goes away must not end the process before the terminal is given back.
    signal(SIGPIPE, SIG_IGN)
    // Ctrl-C comes as a key.
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
    return tcsetattr(STDIN_FILENO, TCSANOW, &settings) == 0
  }

  /// Gives the terminal back; doing so twice is harmless.
  static func close() {
    guard var settings = before else { return }
    tcsetattr(STDIN_FILENO, TCSANOW, &settings)
  }

  /// Ends the process as this signal would have, with the terminal given back, and the cursor below what is drawn.
  /// Calls only what a signal handler may call.
  static func end(by number: Int32) {
    let (screen, below) = (screen.load(ordering: .relaxed), linesBelow.exchange(-1, ordering: .relaxed))
    if below >= 0 { for _ in 0...below { write(screen, "\r\n", 2) } }
    close()
    signal(number, SIG_DFL)
    kill(getpid(), number)
  }
}
