import Foundation
import Persistence
import SyncKit
import Testing

/// An attribute of each type, which a server returns as it received it.
@Suite(.timeLimit(.minutes(2))) struct AttributeTypeTests {
  @Test(arguments: [true, false])
  func `a value of every attribute type arrives on another device as it was`(sendsWholeRows: Bool) async throws {
    let server = SampleServer()
    let remote = SampleRemote(server: server, sendsWholeRows: sendsWholeRows)
    let stores = [try await SampleStore(remote), try await SampleStore(remote)]
    for store in stores { try await store.engine.start() }
    try await stores[0].context.persist { objects in
      objects.insert(Sample.self).set(.full)
      objects.insert(Sample.self).set(.empty)
    }
    for store in stores { #expect(try await store.engine.synchronize().isSynchronized) }
    #expect(try await stores[1].values() == [.full, .empty])
    // From one to the other, and back.
    try await stores[1].context.persist { objects in
      let samples = try objects.fetch(Sample.self).sorted { ($0.number ?? "") < ($1.number ?? "") }
      samples[0].set(.empty)
      samples[1].set(.full)
    }
    for store in stores.reversed() { #expect(try await store.engine.synchronize().isSynchronized) }
    #expect(try await stores[0].values() == [.empty, .full])
    #expect(try await stores[0].engine.conflicts().isEmpty)
    #expect(try await stores[1].engine.conflicts().isEmpty)
    for store in stores {
      await store.engine.stop()
      await store.container.close()
    }
  }
}

private enum Mood: String, AttributeValue { case good, bad }

private struct Point: CodableAttribute { var x: Double, y: Double }

/// The values of a ``Sample``.
private struct Values: Sendable, Equatable {
  var flag = false
  var integer = 0
  var small: Int8 = 0
  var unsigned: UInt64 = 0
  var double = 0.0
  var float: Float = 0
  var text = ""
  var data = Data()
  var date = Date(timeIntervalSince1970: 0)
  var uuid = UUID(uuidString: "00000000-0000-0000-0000-000000000000")!
  var url = URL(string: "https://example.com")!
  var decimal = Decimal(0)
  var mood = Mood.bad
  var point = Point(x: 0, y: 0)
  var words: [String]?
  var optionalText: String?
  var optionalDecimal: Decimal?
  var optionalDate: Date?
  var optionalMood: Mood?

  static let empty = Values()
  static let full = Values(
    flag: true, integer: .min, small: -128, unsigned: UInt64(Int64.max), double: -.infinity, float: 1.5,
    text: "a\u{301}\0e", data: Data([0, 255]), date: Date(timeIntervalSince1970: 1.0 / 3),
    uuid: UUID(uuidString: "01234567-89AB-CDEF-0123-456789ABCDEF")!, url: URL(string: "https://example.com/é?a=b")!,
    decimal: Decimal(string: "-12345678901234567890.00012")!, mood: .good, point: Point(x: 1e300, y: -0.1),
    words: ["x", ""], optionalText: "", optionalDecimal: Decimal(string: "0.1")!,
    optionalDate: Date(timeIntervalSince1970: -1e9 - 0.1), optionalMood: .bad)
}

private final class Sample: ManagedObject {
  @Attribute(.unique) var number: String?
  @Attribute var flag = false
  @Attribute var integer = 0
  @Attribute var small: Int8 = 0
  @Attribute var unsigned: UInt64 = 0
  @Attribute var double = 0.0
  @Attribute var float: Float = 0
  @Attribute var text = ""
  @Attribute var data = Data()
  @Attribute var date = Date(timeIntervalSince1970: 0)
  @Attribute var uuid = UUID(uuidString: "00000000-0000-0000-0000-000000000000")!
  @Attribute var url = URL(string: "https://example.com")!
  @Attribute var decimal = Decimal(0)
  @Attribute var mood = Mood.bad
  @Attribute var point = Point(x: 0, y: 0)
  @Attribute var words: [String]?
  @Attribute var optionalText: String?
  @Attribute var optionalDecimal: Decimal?
  @Attribute var optionalDate: Date?
  @Attribute var optionalMood: Mood?

  func set(_ values: Values) {
    (flag, integer, small, unsigned) = (values.flag, values.integer, values.small, values.unsigned)
    (double, float, text, data) = (values.double, values.float, values.text, values.data)
    (date, uuid, url, decimal) = (values.date, values.uuid, values.url, values.decimal)
    (mood, point, words, optionalText) = (values.mood, values.point, values.words, values.optionalText)
    (optionalDecimal, optionalDate, optionalMood) = (values.optionalDecimal, values.optionalDate, values.optionalMood)
  }

  var values: Values {
    Values(
      flag: flag, integer: integer, small: small, unsigned: unsigned, double: double, float: float, text: text,
      data: data, date: date, uuid: uuid, url: url, decimal: decimal, mood: mood, point: point, words: words,
      optionalText: optionalText, optionalDecimal: optionalDecimal, optionalDate: optionalDate,
      optionalMood: optionalMood)
  }
}

private struct SampleStore {
  let container: PersistentContainer
  let context: ObjectContext
  let engine: SyncEngine

  init(_ remote: SampleRemote) async throws {
    container = try await PersistentContainer(
      at: .inMemory, schema: Schema(Sample.self).synchronizing(remote.classes))
    context = container.newContext()
    engine = try SyncEngine(container, with: remote)
  }

  func values() async throws -> [Values] {
    try await context.perform { objects in
      try objects.fetch(Sample.self).sorted { ($0.number ?? "") < ($1.number ?? "") }.map(\.values)
    }
  }
}

private actor SampleServer {
  private(set) var rows: [String: Values] = [:]

  func put(_ key: String?, _ change: @Sendable (inout Values) -> Void) -> (String, Values) {
    let key = key ?? "n\(rows.count)"
    var values = rows[key] ?? Values()
    change(&values)
    rows[key] = values
    return (key, values)
  }
}

private struct SampleRemote: SyncRemote {
  let server: SampleServer
  let sendsWholeRows: Bool
  let scopes = ["all"]

  var classes: [SyncedClass] { [SyncedClass(Sample.self, key: \.number, created: .idempotencyKey)] }

  var capabilities: RemoteCapabilities {
    var capabilities = RemoteCapabilities()
    capabilities.sendsWholeRows = sendsWholeRows
    return capabilities
  }

  func pull(_ scope: String, after position: String?) async throws -> SyncPage {
    SyncPage(await server.rows.sorted { $0.key < $1.key }.map { remote($0.key, $0.value) }, covers: [.all(Sample.self)])
  }

  func push(_ batch: SyncBatch, _ attempt: SyncBatch.Attempt) async throws {
    for change in batch.changes {
      guard let sample = change.of(Sample.self) else { continue }
      let (key, values) = await server.put(change.key?.text) { apply(sample, to: &$0) }
      try await attempt.record(.accepted(remote(key, values)), for: change)
    }
  }

  private func apply(_ sample: TypedSyncChange<Sample>, to values: inout Values) {
    func take<Value: AttributeValue>(_ path: KeyPath<Sample, Value>, _ value: inout Value)
    where Value.Unwrapped == Value {
      if sample.sets(path), let new = sample[path] { value = new }
    }
    func take<Value: AttributeValue>(_ path: KeyPath<Sample, Value?>, _ value: inout Value?)
    where Value.Unwrapped == Value {
      if sample.sets(path) { value = sample[path] }
    }
    take(\.flag, &values.flag)
    take(\.integer, &values.integer)
    take(\.small, &values.small)
    take(\.unsigned, &values.unsigned)
    take(\.double, &values.double)
    take(\.float, &values.float)
    take(\.text, &values.text)
    take(\.data, &values.data)
    take(\.date, &values.date)
    take(\.uuid, &values.uuid)
    take(\.url, &values.url)
    take(\.decimal, &values.decimal)
    take(\.mood, &values.mood)
    take(\.point, &values.point)
    take(\.words, &values.words)
    take(\.optionalText, &values.optionalText)
    take(\.optionalDecimal, &values.optionalDecimal)
    take(\.optionalDate, &values.optionalDate)
    take(\.optionalMood, &values.optionalMood)
  }

  private func remote(_ key: String, _ values: Values) -> RemoteObject {
    RemoteObject(Sample.self, key: SyncKey(key)) {
      $0.set(\.flag, to: values.flag)
      $0.set(\.integer, to: values.integer)
      $0.set(\.small, to: values.small)
      $0.set(\.unsigned, to: values.unsigned)
      $0.set(\.double, to: values.double)
      $0.set(\.float, to: values.float)
      $0.set(\.text, to: values.text)
      $0.set(\.data, to: values.data)
      $0.set(\.date, to: values.date)
      $0.set(\.uuid, to: values.uuid)
      $0.set(\.url, to: values.url)
      $0.set(\.decimal, to: values.decimal)
      $0.set(\.mood, to: values.mood)
      $0.set(\.point, to: values.point)
      $0.set(\.words, to: values.words)
      $0.set(\.optionalText, to: values.optionalText)
      $0.set(\.optionalDecimal, to: values.optionalDecimal)
      $0.set(\.optionalDate, to: values.optionalDate)
      $0.set(\.optionalMood, to: values.optionalMood)
    }
  }
}
