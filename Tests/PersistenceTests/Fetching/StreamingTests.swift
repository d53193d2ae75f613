import Foundation
import Persistence
import Testing

/// Counts its living instances.
private final class Grain: ManagedObject {
  @Attribute var number = 0
  @Attribute var text = ""
  static let living = Counted()

  required init() {
    super.init()
    Self.living.add(1)
  }

  deinit { Self.living.add(-1) }
}

private final class Counted: @unchecked Sendable {
  private let lock = NSLock()
  private var now = 0
  private var most = 0

  func add(_ number: Int) {
    lock.withLock {
      now += number
      most = max(most, now)
    }
  }

  /// The largest number of instances since the last call.
  func takeMost() -> Int {
    lock.withLock {
      defer { most = now }
      return most
    }
  }
}

@Suite(.serialized) struct StreamingTests {
  /// A million rows in the long form.
  private static let isLong = ProcessInfo.processInfo.environment["LARDER_LONG_TESTS"] != nil
  private static let rows = isLong ? 1_000_000 : 20_000

  @Test func `forEach reads any number of rows in the memory of two batches`() async throws {
    let store = try TemporaryStore()
    let container = try await store.open(Grain.self)
    let context = container.newContext()
    for start in stride(from: 0, to: Self.rows, by: 20_000) {
      try await context.persist { objects in
        for number in start..<start + 20_000 {
          let grain = objects.insert(Grain.self)
          grain.number = number
          grain.text = "a text that is longer than a small string, of number \(number)"
        }
      }
    }
    let request = FetchDescriptor(Grain.self)
    let (sum, most, growth) = try await context.perform { objects in
      var sum = 0
      // The caches are full after some rows
      var first: Int?
      var last = 0
      _ = Grain.living.takeMost()
      try objects.forEach(request) { grain in
        sum += grain.number
        if grain.number % 5_000 == 4_999, let memory = residentBytes() {
          if grain.number == 9_999 { first = memory }
          last = memory
        }
      }
      return (sum, Grain.living.takeMost(), first.map { last - $0 })
    }
    #expect(sum == (0..<Self.rows).reduce(0, +))
    #expect(most <= 2 * request.batchSize + 2)
    // A million objects would take more than 200 MB. The allocator may keep some.
    if Self.isLong, let growth { #expect(growth < 16 << 20, "\(growth) bytes") }
  }

  private func residentBytes() -> Int? {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
    let fields = text.split(separator: " ")
    return fields.count > 1 ? Int(fields[1]).map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) } : nil
  }
}
