import Foundation
import LarderTestSupport
import Testing

@testable import Persistence

/// A raw value that can be written but not read, as if a newer version of the program had written it.
private struct Style: RawRepresentable, AttributeValue {
  let rawValue: String

  static let film = Style("film")
  static let unknown = Style("unknown")
  /// Cannot be read.
  static let opera = Style("opera")

  private init(_ rawValue: String) { self.rawValue = rawValue }

  init?(rawValue: String) {
    if rawValue == "opera" { return nil }
    self.init(rawValue)
  }
}

/// JSON that can be written but not read if it has no theme or a negative size.
private struct Look: CodableAttribute {
  var theme: String?
  var size = 1

  init(theme: String? = "plain", size: Int = 1) {
    self.theme = theme
    self.size = size
  }

  private enum CodingKeys: String, CodingKey {
    case theme, size
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    theme = try container.decode(String.self, forKey: .theme)
    size = try container.decode(Int.self, forKey: .size)
    if size < 0 {
      throw DecodingError.dataCorruptedError(forKey: .size, in: container, debugDescription: "\(size) of \(self)")
    }
  }
}

private final class Opus: ManagedObject {
  @Attribute var title = ""
  @Attribute var year = 0
  @Attribute var genre = Style.film
  @Attribute var look = Look()
  @Attribute var looks: [String: [Look]] = [:]
  @Attribute(unreadable: .unknown) var declared = Style.film
  @Attribute(unreadable: Look(theme: "old")) var maybe: Look?
  @ToOne var box: Box?
}

private final class Box: ManagedObject {
  @Attribute var name = ""
  @Attribute var genre = Style.film
  @ToMany(inverse: \Opus.box) var contents: RelatedObjects<Opus>
}

/// A class before and after a property was added to its value.
private enum OldAccounts {
  struct Settings: CodableAttribute {
    var theme = "plain"
  }

  final class Account: ManagedObject {
    @Attribute var name = ""
    @Attribute var settings = Settings()
  }
}

private enum NewAccounts {
  struct Settings: CodableAttribute {
    var theme = "plain"
    var volume = 5
  }

  final class Account: ManagedObject {
    @Attribute var name = ""
    @Attribute(unreadable: Settings(theme: "reset")) var settings = Settings()
  }
}

@Suite(.timeLimit(.minutes(5))) struct UnreadableValueTests {
  let store: TemporaryStore
  private let reported = Lock<[InvalidValue]>([])

  init() throws { store = try TemporaryStore() }

  enum Place: CaseIterable { case memory, file }

  private func open(
    _ place: Place = .file, _ policy: UnreadableValuePolicy = .fail
  ) async throws -> PersistentContainer {
    try await PersistentContainer(
      at: place == .memory ? .inMemory : .file(store.file), schema: Schema(Opus.self, Box.self)
    ) { [reported] in
      $0.history = .kept()
      $0.onUnreadableValue = { value in
        reported.withLock { $0.append(value) }
        return policy
      }
    }
  }

  /// Three objects in a box. The second has values that cannot be read.
  @discardableResult
  private func fill(
    _ container: PersistentContainer, _ spoil: @Sendable @escaping (Opus) -> Void = { $0.genre = .opera }
  ) async throws -> [ObjectID<Opus>] {
    try await container.newContext().persist { objects in
      let box = objects.insert(Box.self)
      return ["a", "b", "c"].map { title in
        let opus = objects.insert(Opus.self)
        opus.title = title
        opus.box = box
        if title == "b" { spoil(opus) }
        return opus.id
      }
    }
  }

  private func stored(_ column: String, in container: PersistentContainer) async throws -> [String?] {
    try await container.newContext().perform {
      try $0.select("SELECT \(raw: column) FROM Opus ORDER BY _id", as: String?.self)
    }
  }

  // The error

  private static let errors: [(@Sendable (Opus) -> Void, String, String)] = [
    ({ $0.look = Look(theme: nil) }, "look", "its JSON has nothing at /theme"),
    ({ $0.look = Look(theme: "secret", size: -12345) }, "look", "its JSON cannot be decoded at /size"),
    ({ $0.looks = ["secret": [Look(), Look(theme: nil)]] }, "looks", "its JSON has nothing at /*/1/theme"),
    ({ $0.genre = .opera }, "genre", "the stored value does not have the attribute's type"),
  ]

  @Test(arguments: Place.allCases, 0..<4)
  func `the error names class, attribute, id and the place in the JSON, but no value`(
    _ place: Place, _ index: Int
  ) async throws {
    let (spoil, attribute, reason) = Self.errors[index]
    let container = try await open(place)
    let ids = try await fill(container, spoil)
    let expected = InvalidValue(type: "Opus", attribute: attribute, id: ids[1].rawValue, reason: reason)
    let context = container.newContext()
    await #expect {
      try await context.perform { _ = try $0.fetch(Opus.self) }
    } throws: { error in
      guard case .invalidValue(let value) = error as? PersistenceError else { return false }
      return value == expected && !"\(error)".contains("secret") && !"\(error)".contains("12345")
    }
    #expect(reported.withLock { $0 } == [expected])
    // The other rows can be read.
    #expect(
      try await context.perform { try $0.fetch(Opus.self, where: { $0.title != "b" }).map(\.title) } == ["a", "c"])
  }

  // Declared values

  @Test func `rows from before a property was added have the declared value until they are written`() async throws {
    let (old, new) = (Schema(OldAccounts.Account.self), Schema(NewAccounts.Account.self))
    let before = try await PersistentContainer(at: .file(store.file), schema: old)
    try await before.newContext().persist { objects in
      for name in ["a", "b"] {
        let account = objects.insert(OldAccounts.Account.self)
        account.name = name
        account.settings.theme = "dark"
      }
    }
    await before.close()
    let container = try await PersistentContainer(at: .file(store.file), schema: new)
    let context = container.newContext()
    func json() async throws -> [String] {
      try await container.newContext().perform {
        try $0.select("SELECT settings FROM Account ORDER BY _id", as: String.self)
      }
    }
    let dark = #"{"theme":"dark"}"#
    #expect(try await container.integrityCheck().isIntact)
    try await context.persist { objects in
      let accounts = try objects.fetch(NewAccounts.Account.self)
      #expect(accounts.map(\.settings) == Array(repeating: NewAccounts.Settings(theme: "reset"), count: 2))
      accounts[0].name = "c"
    }
    #expect(try await json() == [dark, dark])
    try await context.perform { objects in
      let accounts = try objects.fetch(NewAccounts.Account.self)
      accounts[0].settings.volume = 7
      objects.rollback()
      #expect(accounts[0].settings == NewAccounts.Settings(theme: "reset"))
      accounts[1].settings.volume = 9
    }
    #expect(try await json() == [dark, dark])
    try await context.persist { _ in }
    #expect(try await json() == [dark, #"{"theme":"reset","volume":9}"#])
    #expect(
      try await container.newContext().perform { try $0.fetch(NewAccounts.Account.self).map(\.settings.volume) } == [
        5, 9,
      ])
  }

  @Test(arguments: Place.allCases)
  func `every way to read a value gives the declared one`(_ place: Place) async throws {
    let container = try await open(place)
    let ids = try await fill(container) {
      $0.declared = .opera
      $0.maybe = Look(theme: nil)
    }
    let old = Look(theme: "old")
    try await container.newContext().perform { objects in
      let all = FetchDescriptor(Opus.self)
      #expect(try objects.object(ids[1]).declared == .unknown)
      #expect(try objects.fetch(Opus.self).map(\.maybe) == [nil, old, nil])
      #expect(try objects.values(of: \.declared, in: all) == [.film, .unknown, .film])
      #expect(try objects.values(in: all) { $0.maybe } == [nil, old, nil])
      let pairs = try objects.values(in: all) { ($0.declared, $0.title) }
      #expect(pairs.map(\.0) == [.film, .unknown, .film])
      #expect(try Set(objects.distinctValues(of: \Opus.declared).map(\.rawValue)) == ["film", "unknown"])
      let groups = try objects.groups(in: all, by: { $0.declared }, of: { $0.count })
      #expect(groups.map(\.key.rawValue).sorted() == ["film", "unknown"])
      #expect(try objects.count(Opus.self, where: { $0.declared == .unknown }) == 0)
    }
    #expect(reported.withLock { $0 }.isEmpty)
    #expect(try await container.integrityCheck().isIntact)
    #expect(try await stored("declared", in: container) == ["film", "opera", "film"])
  }

  @Test(arguments: Place.allCases)
  func `a save that merges with an unreadable value keeps it`(_ place: Place) async throws {
    let container = try await open(place)
    let ids = try await fill(container) { _ in }
    let context = container.newContext()
    try await context.perform { try $0.object(ids[1]).title = "mine" }
    try await container.newContext().persist { objects in
      let opus = try objects.object(ids[1])
      opus.declared = .opera
      opus.year = 1900
    }
    try await context.persist { _ in }
    try await context.perform { objects in
      let opus = try objects.object(ids[1])
      #expect(opus.title == "mine" && opus.year == 1900 && opus.declared == .unknown)
    }
    #expect(try await stored("declared", in: container) == ["film", "opera", "film"])
  }

  // Policies

  @Test(arguments: Place.allCases)
  func `objects that are left out are in no result, but SQLite counts their rows`(_ place: Place) async throws {
    let container = try await open(place, .leaveOut)
    let ids = try await fill(container)
    let context = container.newContext()
    var request = FetchDescriptor(Opus.self)
    request.batchSize = 2
    let batches = request
    // Next to a pending edit and a pending object.
    try await context.perform { objects in
      try objects.object(ids[2]).title = "z"
      objects.insert(Opus.self).title = "d"
    }
    try await context.perform { objects in
      #expect(try objects.fetch(Opus.self).map(\.title) == ["a", "z", "d"])
      #expect(try objects.fetch(Opus.self, limit: 2).map(\.title) == ["a"])
      #expect(try objects.first(Opus.self, where: { $0.title == "b" }) == nil)
      #expect(try objects.existingObject(ids[1]) == nil)
      #expect(try objects.count(Opus.self) == 4)
      #expect(try objects.fetchIDs(FetchDescriptor(Opus.self)).count == 4)
      #expect(try objects.values(of: \.genre, in: FetchDescriptor(Opus.self)).count == 3)
      #expect(try objects.values(of: \.title, in: FetchDescriptor(Opus.self)).count == 4)
      #expect(try objects.fetch(FetchDescriptor(Opus.self), with: { $0.year }).map(\.object.title) == ["a", "z", "d"])
      var streamed: [String] = []
      try objects.forEach(batches) { streamed.append($0.title) }
      #expect(streamed == ["a", "z", "d"])
      #expect(try objects.fetch(Box.self)[0].contents.map(\.title) == ["a", "z"])
      #expect(throws: PersistenceError.self) { try objects.values(in: FetchDescriptor(Opus.self)) { $0.genre } }
    }
    try await context.persist { objects in
      var streamed: [String] = []
      try objects.forEach(batches) { streamed.append($0.title) }
      #expect(streamed == ["a", "z", "d"])
    }
    #expect(Set(reported.withLock { $0 }.map(\.id)) == [ids[1].rawValue])
    #expect(try await stored("genre", in: container) == ["film", "opera", "film", "film"])
  }

  @Test(arguments: Place.allCases)
  func `a to-one relationship to an object that is left out is nil and stays stored`(_ place: Place) async throws {
    let container = try await open(place, .leaveOut)
    try await fill(container) { $0.box?.genre = .opera }
    try await container.newContext().persist { objects in
      let works = try objects.fetch(Opus.self)
      #expect(works.count == 3 && works.allSatisfy { $0.box == nil })
      works[0].title = "x"
    }
    #expect(try await container.newContext().perform { try $0.count(Opus.self, where: { $0.box == nil }) } == 0)
  }

  @Test(arguments: Place.allCases)
  func `with the default value, an object can be changed and its unreadable value stays`(_ place: Place) async throws {
    let container = try await open(place, .useDefault)
    let ids = try await fill(container)
    let context = container.newContext()
    try await context.persist { objects in
      let works = try objects.fetch(Opus.self)
      #expect(works.map(\.genre) == [.film, .film, .film])
      works[1].title = "x"
    }
    #expect(try await stored("genre", in: container) == ["film", "opera", "film"])
    // An error, its correction, and a save.
    await #expect(throws: PersistenceError.self) {
      try await context.persist { objects in
        try objects.object(ids[1]).genre = .unknown
        throw Stop()
      }
    }
    #expect(try await stored("genre", in: container) == ["film", "opera", "film"])
    try await context.persist { try $0.object(ids[1]).genre = .unknown }
    #expect(try await stored("genre", in: container) == ["film", "unknown", "film"])
  }

  @Test func `a value that becomes unreadable later is handled like one that always was`() async throws {
    let container = try await open(.file, .leaveOut)
    let ids = try await fill(container) { _ in }
    let (context, other, held) = (container.newContext(), container.newContext(), Held())
    try await context.perform { objects in
      held.works = try objects.fetch(Opus.self)
    }
    try await other.persist { try $0.object(ids[1]).genre = .opera }
    #expect(try await context.perform { try $0.fetch(Opus.self).map(\.title) } == ["a", "c"])
    try await other.persist {
      _ = try $0.update(Opus.self, where: { $0.title == "b" }, set: [.set(\.genre, to: .film)])
    }
    #expect(try await context.perform { try $0.fetch(Opus.self).map(\.title) } == ["a", "b", "c"])
    try await context.perform { _ in held.works = [] }
  }

  @Test @MainActor func `live results include the id of an object that is left out`() async throws {
    let container = try await open(.file, .leaveOut)
    let ids = try await fill(container)
    let results = try await container.results(FetchDescriptor(Opus.self))
    #expect(results.snapshot.map { $0 } == ids)
    #expect(throws: PersistenceError.self) { try container.viewContext.object(ids[1]) }
    #expect(try container.viewContext.fetch(Opus.self).map(\.title) == ["a", "c"])
  }

  // Repair

  @Test(arguments: Place.allCases, [UnreadableValuePolicy.fail, .leaveOut, .useDefault])
  func `the integrity check finds unreadable values, and an update repairs them`(
    _ place: Place, _ policy: UnreadableValuePolicy
  ) async throws {
    let container = try await open(place, policy)
    let ids = try await fill(container) {
      $0.genre = .opera
      $0.look = Look(theme: nil)
    }
    let context = container.newContext()
    let held = try? await context.perform { objects in try objects.fetch(Opus.self).count }
    #expect(held == (policy == .fail ? nil : policy == .leaveOut ? 2 : 3))
    let report = try await container.integrityCheck()
    #expect(!report.isIntact && report.problems.isEmpty && report.unreadable.map(\.attribute) == ["genre", "look"])
    #expect(report.unreadable.allSatisfy { $0.type == "Opus" && $0.id == ids[1].rawValue })
    try await context.persist { objects in
      for value in report.unreadable where value.type == "Opus" {
        let id = ObjectID<Opus>(rawValue: value.id)
        switch value.attribute {
        case "genre": try objects.update(Opus.self, where: { $0.id == id }, set: [.set(\.genre, to: .film)])
        case "look": try objects.update(Opus.self, where: { $0.id == id }, set: [.set(\.look, to: Look(size: 3))])
        default: Issue.record("\(value)")
        }
      }
    }
    #expect(try await container.integrityCheck().isIntact)
    #expect(try await stored("genre", in: container) == ["film", "film", "film"])
    #expect(try await context.perform { try $0.object(ids[1]).look.size } == 3)
    #expect(try await context.perform { try $0.fetch(Opus.self).count } == 3)
  }
}

/// `@unchecked Sendable`: used on one context's queue.
private final class Held: @unchecked Sendable {
  var works: [Opus] = []
}
