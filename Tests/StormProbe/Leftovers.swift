import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// What a process has open, to be compared before and after.
struct Leftovers {
  var descriptors: Int
  /// Bytes that were allocated and not freed; nil where nothing tells.
  var heapBytes: Int?

  static func now() -> Leftovers {
    Leftovers(descriptors: (0..<4096).count { fcntl($0, F_GETFD) >= 0 }, heapBytes: allocatedBytes())
  }

  /// What is left once nothing is more than before, or after ten seconds: sockets are closed, and tasks and timers that
  /// were cancelled let go, by threads of their own, which tell nobody. Who gets too many compares them and fails.
  static func settled(to before: Leftovers, kept: Int) async -> Leftovers {
    let deadline = ContinuousClock.now + .seconds(10)
    while true {
      let left = Self.now()
      let isMore = left.descriptors > before.descriptors || left.excessBytes(over: before, kept) > 0
      guard isMore, .now < deadline, !Task.isCancelled else { return left }
      try? await Task.sleep(for: .milliseconds(10))  // cancelled it ends above
    }
  }

  /// What is more than before, in words; nil when nothing is. Of descriptors none may be, of bytes those that are kept.
  func difference(now: Leftovers, kept: Int) -> String? {
    if now.descriptors != descriptors { return "\(now.descriptors - descriptors) descriptors left over" }
    let excess = now.excessBytes(over: self, kept)
    return excess > 0 ? "\(excess) bytes left over, beyond the \(kept) that may be kept" : nil
  }

  /// How many bytes are more than before, in words.
  func growth(over before: Leftovers) -> String {
    guard let heapBytes, let known = before.heapBytes else { return "an unknown number of bytes" }
    return "\(heapBytes - known) bytes"
  }

  /// How many bytes are more than before and what is kept.
  private func excessBytes(over before: Leftovers, _ kept: Int) -> Int {
    guard let heapBytes, let known = before.heapBytes else { return 0 }
    return max(0, heapBytes - known - kept)
  }

  /// What the allocator of glibc says of itself.
  private static func allocatedBytes() -> Int? {
    #if canImport(Glibc)
    typealias Inform = @convention(c) (Int32, UnsafeMutablePointer<FILE>?) -> Int32
    // <malloc.h> is not in Swift's module of glibc.
    guard let symbol = dlsym(nil, "malloc_info") else { return nil }
    var text: UnsafeMutablePointer<CChar>?
    var size = 0
    guard let stream = open_memstream(&text, &size) else { return nil }
    // The symbol is a function of that type, by its manual page.
    let result = unsafeBitCast(symbol, to: Inform.self)(0, stream)
    fclose(stream)
    defer { free(text) }
    guard result == 0, let text else { return nil }
    // The totals over all arenas come after the last of them: what came from the system, less what lies free, plus
    // blocks with a mapping of their own.
    let all = String(cString: text)
    guard let end = all.range(of: "</heap>", options: .backwards) else { return nil }
    func value(_ tag: String, _ type: String) -> Int? {
      let totals = all[end.upperBound...]
      guard let line = totals.split(separator: "\n").first(where: { $0.hasPrefix("<\(tag) type=\"\(type)\"") }),
        let start = line.range(of: "size=\"")
      else { return nil }
      return Int(line[start.upperBound...].prefix { $0 != "\"" })
    }
    guard let system = value("system", "current"), let fast = value("total", "fast"), let rest = value("total", "rest"),
      let mapped = value("total", "mmap")
    else { return nil }
    return system - fast - rest + mapped
    #else
    return nil
    #endif
  }
}
