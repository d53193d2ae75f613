import Foundation

/// The size and the color support of the terminal that a program writes to.
public struct Terminal: Sendable {
  /// The number of columns, or nil if the output is not a terminal. If the value is nil, lines can have any length.
  public let columns: Int?
  private let hasColors: Bool

  /// - Parameters:
  ///   - descriptor: The file descriptor of standard output or standard error.
  ///   - plain: Whether to turn off colors. Colors are also turned off if `NO_COLOR` is set to a nonempty value or if
  ///     `TERM` is `dumb`.
  public init(of descriptor: Int32, plain: Bool = false) {
    guard isatty(descriptor) == 1 else {
      columns = nil
      hasColors = false
      return
    }
    let environment = ProcessInfo.processInfo.environment
    columns = Self.size(of: descriptor).columns
    hasColors = !plain && environment["NO_COLOR"]?.isEmpty ?? true && environment["TERM"] != "dumb"
  }

  /// The current size, because a window can be resized at any time. `COLUMNS` in the environment takes precedence.
  static func size(of descriptor: Int32) -> (columns: Int, rows: Int) {
    var size = winsize()
    let isSeen = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
    let said = ProcessInfo.processInfo.environment["COLUMNS"].flatMap(Int.init)
    let columns = said ?? (isSeen && size.ws_col > 0 ? Int(size.ws_col) : 80)
    return (max(20, columns), isSeen && size.ws_row > 0 ? Int(size.ws_row) : 24)
  }

  /// The line width for running text: the width of the terminal, or 80 columns if the terminal is wider or the output
  /// is not a terminal.
  public var readingWidth: Int { min(columns ?? 80, 80) }

  public func bold(_ text: String) -> String { hasColors ? "\u{1B}[1m\(text)\u{1B}[0m" : text }

  public func dim(_ text: String) -> String { hasColors ? "\u{1B}[2m\(text)\u{1B}[0m" : text }
}
