import Foundation

#if canImport(Darwin)
import Darwin
#endif

/// How much more memory the process has had at its peak since a moment than it had then.
public struct MemoryGrowth {
  public struct Unknown: Error {}

  private let before: Int

  public init() throws {
    #if os(Linux)
    // The peak starts anew: one of before, as a warm-up has it, would hide all that stays below it.
    try Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
    #endif
    before = try Self.peak()
  }

  public var bytes: Int {
    get throws { try Self.peak() - before }
  }

  private static func peak() throws -> Int {
    #if os(Linux)
    // Not what getrusage says: a child begins with the peak of its parent there.
    let status = try String(contentsOf: URL(filePath: "/proc/self/status"), encoding: .utf8)
    guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
      let kilobytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) })
    else { throw Unknown() }
    return kilobytes << 10
    #else
    var usage = rusage()
    guard getrusage(RUSAGE_SELF, &usage) == 0 else { throw Unknown() }
    return usage.ru_maxrss
    #endif
  }
}
