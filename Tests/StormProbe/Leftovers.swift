import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The resources that a process has open, to be compared before and after.
struct Leftovers {
  var descriptors: Int
  /// Bytes that were allocated and not freed; nil where the platform does not report them.
  var heapBytes: Int?

  static func now() -> Leftovers {
    Leftovers(descriptors: (0..<4096).count { fcntl($0, F_GETFD) >= 0 }, heapBytes: allocatedBytes())
  }

  /// The leftovers once nothing exceeds the earlier count, or after ten seconds. Sockets are closed, and cancelled
  /// tasks and timers released, by their own threads, without any event. The caller compares and fails if too much is
  /// left.
  static func settled(to before: Leftovers, kept: Int) async -> Leftovers {
    let deadline = ContinuousClock.now + .seconds(10)
    while true {
      let left = Self.now()
      let isMore = left.descriptors > before.descriptors || left.excessBytes(over: before, kept) > 0
      guard isMore, .now < deadline, !Task.isCancelled else { return left }
      try? await Task.sleep(for: .milliseconds(10))  // when cancelled it ends above
    }
  }

  /// What exceeds the earlier count, in words; nil if nothing does. No more descriptors may be open, and no more bytes
  /// than those the runtime keeps.
  func difference(now: Leftovers, kept: Int) -> String? {
    if now.descriptors != descriptors { return "\(now.descriptors - descriptors) descriptors left over" }
    let excess = now.excessBytes(over: self, kept)
    return excess > 0 ? "\(excess) bytes left over, beyond the \(kept) that may be kept" : nil
  }

  /// How many bytes more than before, in words.
  func growth(over before: Leftovers) -> String {
    guard let heapBytes, let known = before.heapBytes else { return "an unknown number of bytes" }
    return "\(heapBytes - known) bytes"
  }

  /// How many bytes more than before, and how many the runtime keeps.
  private func excessBytes(over before: Leftovers, _ kept: Int) -> Int {
    guard let heapBytes, let known = before.heapBytes else { return 0 }
    return max(0, heapBytes - known - kept)
  }

  /// The report of glibc's allocator.
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
    // The totals over all arenas follow the last of them: memory from the system, less the free memory, plus blocks
    // with their own mapping.
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
