import Foundation
import Testing

@testable import LarderTestSupport

/// One of the package's executables in its own pseudo-terminal with a given number of columns.
///
/// Only one task may use it.
final class TerminalProgram {
  struct TerminalError: Error { let code: Int32 }
  struct MissingOutputError: Error { let expected, said: String }

  private let child: pid_t
  private let screen: Int32
  private let end: Task<ChildProcess.Exit, Never>
  private var pieces: AsyncStream<Data>.Iterator
  private var whole = Data()
  private var unseen = Data()

  /// - Parameters:
  /// - output: The destination of standard output, if not the terminal.
  init(
    _ name: String, _ arguments: [String], columns: Int = 80, rows: Int = 24, environment: [String: String] = [:],
    output: Int32? = nil
  ) throws {
    let (screen, path) = try TerminalProgram.openTerminal()
    let line = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard line >= 0 else { throw TerminalError(code: errno) }
    defer { close(line) }
    var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    guard ioctl(line, UInt(TIOCSWINSZ), &size) == 0 else { throw TerminalError(code: errno) }
    var all = ProcessInfo.processInfo.environment
    for name in ["COLUMNS", "NO_COLOR"] { all[name] = nil }
    for (name, value) in ["TERM": "xterm", "XDG_DATA_HOME": "/dev/null"].merging(environment, uniquingKeysWith: { $1 })
    {
      all[name] = value
    }
    let executable = ChildProcess.products.appending(path: name).path
    let child = try ChildProcess.spawn(
      executable, [executable] + arguments, all.map { "\($0)=\($1)" }, [0: line, 1: output ?? line, 2: line])
    self.child = child
    self.screen = screen
    end = Task { await ChildProcess.exit(of: child) }
    pieces = TerminalProgram.read(dup(screen)).makeAsyncIterator()
  }

  deinit { close(screen) }

  /// Presses keys.
  func press(_ keys: String) {
    let bytes = Array(keys.utf8)
    #expect(write(screen, bytes, bytes.count) == bytes.count)
  }

  func signal(_ number: Int32) { kill(child, number) }

  /// Whether the terminal itself shows typed text, as it does unless a program has turned that off.
  var echoes: Bool {
    var settings = termios()
    return tcgetattr(screen, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO) != 0
  }

  /// Waits until the screen shows this text, after the text of the previous wait.
  func shows(_ part: String) async throws {
    let part = Data(part.utf8)
    while true {
      if let range = unseen.range(of: part) {
        unseen = Data(unseen[range.upperBound...])
        return
      }
      guard let piece = await pieces.next(isolation: #isolation) else {
        throw MissingOutputError(
          expected: String(decoding: part, as: UTF8.self), said: String(decoding: whole, as: UTF8.self))
      }
      whole += piece
      unseen += piece
    }
  }

  /// How the program ended, and everything written to the terminal, including cursor movements.
  func output() async -> (exit: ChildProcess.Exit, text: String) {
    while let piece = await pieces.next(isolation: #isolation) { whole += piece }
    return (await end.value, String(decoding: whole, as: UTF8.self))
  }

  /// Opens a new terminal: the end for its screen and keys, and the path of the end that programs use.
  private static func openTerminal() throws -> (screen: Int32, path: String) {
    #if canImport(Glibc)
    // As posix_openpt and its siblings do; Swift's Glibc module does not have them, nor these two constants of Linux.
    let (unlock, number) = (UInt(0x4004_5431), UInt(0x8004_5430))
    let screen = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var isLocked: Int32 = 0
    var index: UInt32 = 0
    guard screen >= 0, ioctl(screen, unlock, &isLocked) == 0, ioctl(screen, number, &index) == 0 else {
      throw TerminalError(code: errno)
    }
    return (screen, "/dev/pts/\(index)")
    #else
    let screen = posix_openpt(O_RDWR | O_NOCTTY)
    guard screen >= 0, fcntl(screen, F_SETFD, FD_CLOEXEC) == 0, grantpt(screen) == 0, unlockpt(screen) == 0,
      let path = ptsname(screen)
    else { throw TerminalError(code: errno) }
    return (screen, String(cString: path))
    #endif
  }

  /// The bytes written to the terminal, until every process has closed it.
  private static func read(_ descriptor: Int32) -> AsyncStream<Data> {
    let (pieces, piece) = AsyncStream.makeStream(of: Data.self)
    Thread.detachNewThread {
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = Foundation.read(descriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { break }
        piece.yield(Data(buffer[..<count]))
      }
      close(descriptor)
      piece.finish()
    }
    return pieces
  }
}
