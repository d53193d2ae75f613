import Foundation
import Testing

@testable import Persistence

private final class Workshop: ManagedObject {
  @Attribute(.unique) var name = ""
  @Attribute var note: String?
  @ToOne var owner: Workshop?
  @ToMany(inverse: \Workshop.owner) var parts: RelatedObjects<Workshop>
  @ToMany(inverse: \Reel.studio) var reels: RelatedObjects<Reel>
}

private final class Reel: ManagedObject {
  @Attribute(.unique, .searchable) var title = ""
  @Attribute(.searchable) var note: String?
  @Attribute var tags: [String] = []
  @Attribute var count = 0
  @ToOne var studio: Workshop?
  var loud: String { title.uppercased() }
  var quiet: String? { note?.lowercased() }
  var double: Int { count * 2 }
}

/// Declares the index that the test asks for.
private final class IndexedByPath: ManagedObject {
  @Attribute var title = ""
  @Attribute var tags: [String] = []
  @ToOne var other: IndexedByPath?
  var loud: String { title.uppercased() }
  @TaskLocal static var path: (any PartialKeyPath<IndexedByPath> & Sendable)?
  override class var indexes: [AttributeIndex] { path.map { [.on($0 as PartialKeyPath<IndexedByPath>)] } ?? [] }
}

private struct PathPlace: QueryableValue {
  struct Spot: Codable, Sendable, Hashable { var name = "" }
  var street = ""
  var spot: Spot?
  static var jsonNames: [PartialKeyPath<PathPlace>: String] { [\.street: "street", \.spot!.name: "name"] }
}

private final class PlacedByPath: ManagedObject { @Attribute var place = PathPlace() }

/// A way by which a key path enters the library.
private struct KeyPathUse {
  let name: String
  let use: (ObjectSpace) throws -> Void

  init(_ name: String, _ use: @escaping (ObjectSpace) throws -> Void) {
    self.name = name
    self.use = use
  }
}

private let all = FetchDescriptor(Reel.self)

/// Those that take attributes of any type.
private func entries<Value: AttributeValue>(
  _ path: any KeyPath<Reel, Value> & Sendable, _ value: Value, _ unwrapped: Value.Unwrapped
) -> [KeyPathUse] {
  [
    KeyPathUse("sort") { _ = try $0.fetch(Reel.self, sort: [.ascending(path)]) },
    KeyPathUse("sort, descending") { _ = try $0.fetch(Reel.self, sort: [.descending(path, nulls: .last)]) },
    KeyPathUse("sort argument") { _ = try $0.fetch(Reel.self, sort: path) },
    KeyPathUse("values") { _ = try $0.values(of: path, in: all) },
    KeyPathUse("distinct values") { _ = try $0.distinctValues(of: path) },
    KeyPathUse("grouped aggregate") { _ = try $0.groups(in: all, by: { $0[dynamicMember: path] }, of: { $0.count }) },
    KeyPathUse("bulk assignment") { _ = try $0.update(Reel.self, set: [.set(path, to: value)]) },
    KeyPathUse("import field") {
      _ = try $0.import(
        [1], into: Reel.self, matching: \.title, [.set(\.title) { "\($0)" }, .set(path) { _ in value }])
    },
    KeyPathUse("import key") { _ = try $0.import([1], into: Reel.self, matching: path, [.set(\.title) { "\($0)" }]) },
    KeyPathUse("find or insert") { _ = try $0.findOrInsert(Reel.self, path, unwrapped) },
    KeyPathUse("find or insert, list") { _ = try $0.findOrInsert(Reel.self, path, [unwrapped]) },
    KeyPathUse("unique value") { _ = try $0.findOrInsert(Reel.self, [.set(path, to: unwrapped)]) },
    KeyPathUse("SQL") { _ = try $0.select("SELECT \(path) FROM \(Reel.self)", as: String.self) },
    KeyPathUse("row") { _ = try $0.fetch(Reel.self, where: { $0[dynamicMember: path].isIn([unwrapped]) }) },
    KeyPathUse("term") { _ = try $0.values(in: all) { $0[dynamicMember: path] } },
  ]
}

private func entries(text path: any KeyPath<Reel, String> & Sendable) -> [KeyPathUse] {
  entries(path, "x", "x") + [
    KeyPathUse("minimum") { _ = try $0.aggregate(over: all) { $0.minimum { $0[dynamicMember: path] } } },
    KeyPathUse("maximum") { _ = try $0.aggregate(over: all) { $0.maximum { $0[dynamicMember: path] } } },
    KeyPathUse("highlights") {
      _ = try $0.highlights(of: SearchText("x"), in: try #require($0.fetch(Reel.self).first), path)
    },
    KeyPathUse("weight") { _ = try $0.search(Reel.self, SearchText("x"), weights: [SearchWeight(path, 2)]) },
  ]
}

private func entries(optional path: any KeyPath<Reel, String?> & Sendable) -> [KeyPathUse] {
  entries(path, nil, "x") + [
    KeyPathUse("minimum") { _ = try $0.aggregate(over: all) { $0.minimum { $0[dynamicMember: path] } } },
    KeyPathUse("maximum") { _ = try $0.aggregate(over: all) { $0.maximum { $0[dynamicMember: path] } } },
    KeyPathUse("highlights") {
      _ = try $0.highlights(of: SearchText("x"), in: try #require($0.fetch(Reel.self).first), path)
    },
    KeyPathUse("weight") { _ = try $0.search(Reel.self, SearchText("x"), weights: [SearchWeight(path, 2)]) },
  ]
}

private func entries(number path: any KeyPath<Reel, Int> & Sendable) -> [KeyPathUse] {
  entries(path, 1, 1) + [
    KeyPathUse("sum") { _ = try $0.aggregate(over: all) { $0.sum { $0[dynamicMember: path] } } },
    KeyPathUse("average") { _ = try $0.aggregate(over: all) { $0.average { $0[dynamicMember: path] } } },
    KeyPathUse("bulk increment") { _ = try $0.update(Reel.self, set: [.increment(path, by: 1)]) },
    KeyPathUse("increment") { try $0.increment(try #require($0.fetch(Reel.self).first), path) },
  ]
}

private func entries(toOne path: any KeyPath<Reel, Workshop?> & Sendable) -> [KeyPathUse] {
  [
    KeyPathUse("prefetching") { _ = try $0.fetch(FetchDescriptor(Reel.self).prefetching(path)) },
    KeyPathUse("import field") {
      let none: ObjectID<Workshop>? = nil
      _ = try $0.import([1], into: Reel.self, matching: \.title, [.set(\.title) { "\($0)" }, .set(path) { _ in none }])
    },
    KeyPathUse("row") { _ = try $0.fetch(Reel.self, where: { $0[dynamicMember: path] != nil }) },
    KeyPathUse("SQL") { _ = try $0.select("SELECT \(path) FROM \(Reel.self)", as: String.self) },
    KeyPathUse("unique value") { _ = try $0.findOrInsert(Reel.self, [.set(path, to: $0.insert(Workshop.self))]) },
  ]
}

private func entries(toMany path: any KeyPath<Reel, RelatedObjects<Workshop>> & Sendable) -> [KeyPathUse] {
  [
    KeyPathUse("prefetching") { _ = try $0.fetch(FetchDescriptor(Reel.self).prefetching(path)) },
    KeyPathUse("row") { _ = try $0.fetch(Reel.self, where: { $0[dynamicMember: path].isEmpty }) },
  ]
}

@Suite struct KeyPathTests {
  private let store: TemporaryStore
  private let container: PersistentContainer

  init() async throws {
    store = try TemporaryStore()
    container = try await store.open(Reel.self, Workshop.self)
    try await container.newContext().persist { _ = $0.insert(Reel.self) }
  }

  /// What each use throws, as text. Each in a context of its own, because a failed one fails its closure.
  private func errors(_ entries: @escaping @Sendable () -> [KeyPathUse]) async -> [(name: String, text: String)] {
    var errors: [(String, String)] = []
    for index in entries().indices {
      let name = entries()[index].name
      do throws(PersistenceError) {
        try await container.newContext().persist { try entries()[index].use($0) }
        errors.append((name, "no error"))
      } catch {
        errors.append((name, error.description))
      }
    }
    return errors
  }

  @Test func `a key path beyond a property is refused before it is read, wherever it is used`() async {
    let all = [
      await errors { entries(text: \.studio!.name) + entries(optional: \.studio!.note) },
      await errors { entries(optional: \.studio?.name) + entries(optional: \.studio?.note) },
      await errors { entries(text: \.tags[0]) + entries(text: \.note!) + entries(optional: \.tags.first) },
      await errors { entries(text: \.title.localizedLowercase) + entries(number: \.title.count) },
      await errors { entries(toOne: \.studio!.owner) + entries(toOne: \.studio?.owner) },
      await errors { entries(toMany: \.studio!.parts) + entries(toOne: \.studio!.parts.first) },
    ].flatMap { $0 }
    #expect(all.count > 140)
    for (name, text) in all {
      let isExpected =
        text.contains(#/not supported: \\Reel\.[^:]*[.!?][^:]*: a key path must name one property of Reel: /#)
        && text.hasSuffix("as in .ascending { $0.studio.name }") && !text.contains("0x")
      #expect(isExpected, "\(name): \(text)")
    }
  }

  @Test func `a computed property is refused by its class and type, wherever it is used`() async {
    let all = await errors { entries(text: \.loud) + entries(optional: \.quiet) + entries(number: \.double) }
    #expect(all.count > 50)
    for (name, text) in all {
      let isExpected = text.contains(
        #/not supported: a computed property of Reel of type (String|Optional<String>|Int): is not an? .* of Reel$/#)
      #expect(isExpected, "\(name): \(text)")
    }
  }

  @Test func `a stored property of the wrong kind is refused by its name`() async {
    let all = await errors {
      [
        KeyPathUse("find or insert") { _ = try $0.findOrInsert(Reel.self, \.note, "x") },
        KeyPathUse("import key") { _ = try $0.import([1], into: Reel.self, matching: \.count, [.set(\.count) { $0 }]) },
      ]
    }
    #expect(all.map { $0.text.contains("Reel.note") || $0.text.contains("Reel.count") } == [true, true], "\(all)")
  }

  @Test func `a schema rejects a key path beyond a property in an index and in the names of a value`() async throws {
    func error(_ path: (any PartialKeyPath<IndexedByPath> & Sendable)?, _ types: ManagedObject.Type...) -> String {
      IndexedByPath.$path.withValue(path) { Schema(types).problems.map(\.description).joined() }
    }
    for path in [\IndexedByPath.other!.title, \.tags[0], \.other?.title, \.title.count]
      as [any PartialKeyPath<IndexedByPath> & Sendable]
    {
      #expect(error(path, IndexedByPath.self).contains("a key path must name one property of IndexedByPath"))
    }
    let computed = error(\IndexedByPath.loud, IndexedByPath.self)
    #expect(
      computed.contains("a computed property of IndexedByPath of type String: is not an attribute"), "\(computed)")
    #expect(error(nil, PlacedByPath.self).contains("is not a single property"))
    #expect(!error(\IndexedByPath.title, IndexedByPath.self).contains("an index"))
  }
}
