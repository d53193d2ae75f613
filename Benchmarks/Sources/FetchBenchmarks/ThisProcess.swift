import AllocationCount
import Foundation
import HeapSize

/// What the system says of this process.
enum ThisProcess {
  /// Microseconds of CPU so far, of all threads, user and system.
  static var cpuMicroseconds: Double {
    var usage = rusage()
    #if canImport(Glibc)
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    #else
    getrusage(RUSAGE_SELF, &usage)
    #endif
    func microseconds(_ time: timeval) -> Double { Double(time.tv_sec) * 1e6 + Double(time.tv_usec) }
    return microseconds(usage.ru_utime) + microseconds(usage.ru_stime)
  }

  static var openDescriptors: Int {
    get throws { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
  }

  /// What a process has that can be left over.
  struct Open {
    /// By its number, what a descriptor leads to: a kind and, of a socket, its inode.
    var descriptors: [String: String]
    var heapBytes: Int
  }

  static var open: Open {
    get throws {
      let folder = "/proc/self/fd"
      let numbers = try FileManager.default.contentsOfDirectory(atPath: folder)
      let descriptors: [String: String] = numbers.reduce(into: [:]) { open, number in
        // The one that reads the folder is gone by now.
        open[number] = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(number)")
      }
      return Open(descriptors: descriptors, heapBytes: Int(bench_heap_size()))
    }
  }

  /// What is more than there was, in words, once it has not become less for two seconds: a transport is taken down by a
  /// thread of its own, after its last request has ended. Of the heap a MB is what the runtime keeps for itself.
  static func left(beyond known: Open) async throws -> [String] {
    var fewest = (Int.max, Int.max)
    var deadline = ContinuousClock.now
    while true {
      let now = try open
      let descriptors = now.descriptors.count - known.descriptors.count
      let bytes = now.heapBytes - known.heapBytes
      if descriptors <= 0, bytes < 1 << 20 { return [] }
      if (descriptors, bytes) < fewest { (fewest, deadline) = ((descriptors, bytes), .now + .seconds(2)) }
      guard .now < deadline else {
        let new = now.descriptors.filter { known.descriptors[$0.key] != $0.value }
        return ["\(bytes) bytes"] + (descriptors > 0 ? new.map { "\($0.key) \($0.value)" }.sorted() : [])
      }
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  /// By how many MB (10⁶ bytes) the resident memory rose above where it stood, at its peak, while `body` ran.
  static func memoryGrowth(_ body: () async throws -> Void) async throws -> Double {
    allocation_trim()  // else what earlier work left free would be used first, and nothing would seem to grow
    try Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))  // the peak starts anew
    let before = try kilobytes("VmRSS:")
    try await body()
    return Double(max(0, try kilobytes("VmHWM:") - before)) * 1024 / 1e6
  }

  private static func kilobytes(_ field: String) throws -> Int {
    let status = try String(contentsOf: URL(filePath: "/proc/self/status"), encoding: .utf8)
    let words = status.split(separator: "\n").first { $0.hasPrefix(field) }?.split(separator: " ").dropFirst()
      .first?.trimmingCharacters(in: .whitespaces)
    guard let words, let value = Int(words) else { throw CocoaError(.fileReadCorruptFile) }
    return value
  }
}
