import Foundation
import LarderTestSupport
import Testing

@testable import Decoding

/// Whatever a path and a document ask for, it ends soon and in little memory, with an answer or with an error.
@Suite(.serialized) struct AttackTests {
  /// Passed over, not decoded.
  struct Anything: Decodable {
    init(from decoder: any Decoder) {}
  }

  /// Nil for the default, which takes minutes in a debug build. The benchmarks have it too, and measure the time.
  static let work = ProcessInfo.processInfo.environment["LARDER_LONG_TESTS"] == nil ? 1 << 22 : nil

  @Test func `the list of attacks has at least thirty entries`() { #expect(Attack.all.count >= 30) }

  @Test(.timeLimit(.minutes(5)), arguments: Attack.all)
  func `an attack ends within its work limit and 100 MB`(attack: Attack) throws {
    let data = Data(attack.document().utf8)
    let path = try JSONPath(parsing: attack.path)
    var document = JSONDocument(data)
    document.limits.work = Self.work
    let growth = try MemoryGrowth()
    let result = Result { () throws(LocatedDecodingError) in try document.values(Anything.self, at: path) }
    #expect(try growth.bytes < 100_000_000)
    if case .failure(let failure) = result { #expect(failure.kind == .limit, "\(failure)") }
    try data.withUnsafeBytes { bytes in try expectBoundedWork(path, bytes) }
  }

  /// Requires that the work does not exceed the limit by more than one step can cost.
  func expectBoundedWork(_ path: JSONPath, _ bytes: UnsafeRawBufferPointer) throws {
    let state = DecodingState()
    defer { withExtendedLifetime(state) {} }
    state.begin(ByteView(bytes))
    let meter = JSONPathLimits(work: Self.work).meter(bytes: bytes.count)
    var evaluator = PathEvaluator(state.scanner, meter: meter)
    do throws(EvaluationError) {
      try evaluator.select(path.compiled.segments, of: evaluator.root) { _ in true }
      #expect(evaluator.meter.spent <= meter.limit)
    } catch {
      guard case .limit = error else { throw error }
      // Indexing is charged when it is done: an entry for each container, and the bytes.
      #expect(evaluator.meter.spent <= meter.limit + bytes.count * WorkMeter.entry)
    }
  }
}

extension Attack: CustomTestStringConvertible {
  var testDescription: String { name }
}
