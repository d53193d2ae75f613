import AllocationCount
import Foundation

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

  /// What is open, by number: a kind and, of a socket, its inode.
  static var descriptors: [String: String] {
    get throws {
      let folder = "/proc/self/fd"
      return try FileManager.default.contentsOfDirectory(atPath: folder).reduce(into: [:]) { open, number in
        // The one that reads the folder is gone by now.
        open[number] = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(number)")
      }
    }
  }

  /// What is open that was not, once it has not become less for two seconds: sockets are closed by threads of their own.
  static func descriptors(beyond known: [String: String]) async throws -> [String] {
    var fewest = Int.max
    var deadline = ContinuousClock.now
    while true {
      let open = try descriptors
      guard open.count > known.count else { return [] }
      let new = open.filter { known[$0.key] != $0.value }
      if new.count < fewest { (fewest, deadline) = (new.count, .now + .seconds(2)) }
      guard .now < deadline else { return new.map { "\($0.key) \($0.value)" }.sorted() }
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
