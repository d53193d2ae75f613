import FetchKit
import Foundation

/// A progress bar with a count and a rate on the last line of a terminal. It is not shown if standard error is not a
/// terminal or if `--json` is passed.
public struct ProgressLine: Sendable {
  private let title: String
  private let columns: Int?
  private let start = ContinuousClock.now
  /// The progress on the last line of the terminal, or nil if none is shown.
  private static let shown = Lock<String?>(nil)

  public init(_ title: String, _ console: Console) {
    self.title = title
    columns = console.json ? nil : Terminal(of: STDERR_FILENO).columns
  }

  /// Shows the progress, replacing the previous progress line.
  ///
  /// - Parameters:
  ///   - fraction: The completed fraction from 0 to 1, or nil if the fraction is unknown.
  ///   - detail: The text after the bar, such as the count and the rate.
  public func show(_ fraction: Double?, _ detail: String) {
    guard let columns else { return }
    let line = Self.line(title, fraction, detail, columns: columns - 1)
    Self.shown.withLock { shown in
      shown = line
      Self.put("\r\u{1B}[K" + line)
    }
  }

  /// Shows the number of bytes received so far, the total number of bytes, and the transfer rate.
  ///
  /// - Parameters:
  ///   - total: The total number of bytes, or nil if the server does not report it.
  ///   - rate: The number of bytes per second, or nil if the rate has not been measured yet.
  public func show(bytes: Int64, of total: Int64?, rate: Double?) {
    let fraction = total.map { $0 > 0 ? Double(bytes) / Double($0) : 1 }
    let all = total.map { " of \(Self.bytes(Double($0)))" } ?? ""
    show(fraction, Self.bytes(Double(bytes)) + all + (rate.map { ", \(Self.bytes($0))/s" } ?? ""))
  }

  /// Shows the number of completed items and the rate at which items are completed.
  ///
  /// - Parameter bytes: The total size of the completed items in bytes, or nil if it is unknown. If the size is known,
  ///   the rate is shown in bytes per second instead of items per second.
  public func show(_ done: Int, of count: Int, bytes: Int64? = nil) {
    guard columns != nil else { return }
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    show(
      count == 0 ? nil : Double(done) / Double(count),
      Self.detail(done, of: count, bytes: bytes.map { Double($0) }, seconds: seconds))
  }

  /// Formats progress as `12 of 40, 1.2 MB, 300.0 kB/s` or `12 of 40, 8/s`, without a rate if no time has passed.
  static func detail(_ done: Int, of count: Int, bytes: Double?, seconds: Double) -> String {
    var parts = ["\(done) of \(count)"]
    if let bytes { parts.append(Self.bytes(bytes)) }
    if seconds > 0, done > 0 {
      parts.append(bytes.map { "\(Self.bytes($0 / seconds))/s" } ?? String(format: "%.0f/s", Double(done) / seconds))
    }
    return parts.joined(separator: ", ")
  }

  /// Removes the progress line.
  public func clear() {
    guard columns != nil else { return }
    Self.shown.withLock { shown in
      if shown != nil { Self.put("\r\u{1B}[K") }
      shown = nil
    }
  }

  /// Removes the progress line while something else is written, and draws it again below.
  static func steppingAside(_ write: () -> Void) {
    shown.withLock { shown in
      if shown != nil { put("\r\u{1B}[K") }
      write()
      if let shown { put(shown) }
    }
  }

  static func line(_ title: String, _ fraction: Double?, _ detail: String, columns: Int) -> String {
    let room = min(30, columns - TextLayout.width(of: title) - TextLayout.width(of: detail) - 4)
    guard let fraction, room >= 5 else { return TextLayout.cut("\(title) \(detail)", to: columns) }
    let done = Int((min(1, max(0, fraction)) * Double(room)).rounded(.down))
    let bar = String(repeating: "#", count: done) + String(repeating: "·", count: room - done)
    return "\(title) [\(bar)] \(detail)"
  }

  /// Formats a number of bytes, for example as `1.2 MB`.
  public static func bytes(_ count: Double) -> String {
    switch count {
    case ..<1000: "\(Int(count)) B"
    case ..<1_000_000: String(format: "%.1f kB", count / 1000)
    default: String(format: "%.1f MB", count / 1_000_000)
    }
  }

  /// The work continues even if the terminal has gone away.
  private static func put(_ text: String) {
    do { try FileHandle.standardError.write(contentsOf: Data(text.utf8)) } catch { return }
  }
}
