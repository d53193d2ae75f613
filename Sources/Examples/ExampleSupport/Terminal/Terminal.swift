import Foundation

/// What is known of the place that a program writes to.
public struct Terminal: Sendable {
  /// How many columns there are; nil where it is no terminal, and lines may be as long as they like.
  public let columns: Int?
  private let hasColors: Bool

  /// - Parameters:
  ///   - descriptor: That of standard output or standard error.
  ///   - plain: Whether colours are not wanted; `NO_COLOR` and a dumb terminal say so too.
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

  /// How much room there is now: a window may be made smaller meanwhile. `COLUMNS` in the environment counts for more.
  static func size(of descriptor: Int32) -> (columns: Int, rows: Int) {
    var size = winsize()
    let isSeen = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
    let said = ProcessInfo.processInfo.environment["COLUMNS"].flatMap(Int.init)
    let columns = said ?? (isSeen && size.ws_col > 0 ? Int(size.ws_col) : 80)
    return (max(20, columns), isSeen && size.ws_row > 0 ? Int(size.ws_row) : 24)
  }

  /// How wide a text may be that is to be read: as the terminal, and no more than 80.
  public var readingWidth: Int { min(columns ?? 80, 80) }

  public func bold(_ text: String) -> String { hasColors ? "\u{1B}[1m\(text)\u{1B}[0m" : text }

  public func dim(_ text: String) -> String { hasColors ? "\u{1B}[2m\(text)\u{1B}[0m" : text }
}
