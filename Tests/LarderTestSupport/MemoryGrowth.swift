import Foundation

#if canImport(Darwin)
import Darwin
#endif

/// Measures how far the process's peak memory since a moment exceeds its memory at that moment.
public struct MemoryGrowth {
  public struct UnavailableError: Error {}

  private let before: Int

  public init() throws {
    #if os(Linux)
    // Resets the peak: an earlier one, from a warm-up for example, would hide all growth below it.
    try Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
    #endif
    before = try Self.peak()
  }

  public var bytes: Int {
    get throws { try Self.peak() - before }
  }

  private static func peak() throws -> Int {
    #if os(Linux)
    // Not the value of getrusage: a child starts with the peak of its parent there.
    let status = try String(contentsOf: URL(filePath: "/proc/self/status"), encoding: .utf8)
    guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
      let kilobytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) })
    else { throw UnavailableError() }
    return kilobytes << 10
    #else
    var usage = rusage()
    guard getrusage(RUSAGE_SELF, &usage) == 0 else { throw UnavailableError() }
    return usage.ru_maxrss
    #endif
  }
}
