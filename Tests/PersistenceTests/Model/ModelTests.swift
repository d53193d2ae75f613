import Foundation
import LarderTestSupport
import Persistence
import Testing

/// The expected contents of a store, in plain dictionaries.
private struct Model: Equatable, Sendable {
  struct Entry: Equatable, Sendable {
    var title: String
    var remoteID: Int64?
    var film: Int64?
  }

  var movies: [Int64: Entry] = [:]
  var members: Set<Int64> = []
  var links: Set<[Int64]> = []
  var films: [Int64: Int64?] = [:]
  var directors: Set<Int64> = []
}

/// Random changes of an object space, and the same changes of a model.
private struct Walk {
  var random: SplitMix
  var model: Model

  private mutating func pick<Key: Hashable & Comparable>(_ keys: some Collection<Key>) -> Key? {
    keys.sorted().randomElement(using: &random)
  }

  private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  mutating func step(_ objects: ObjectSpace) throws {
    let title = "t\(Int.random(in: 0..<50, using: &random))é"
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1:
      let movie = objects.insert(Movie.self)
      movie.title = title
      model.movies[movie.id.rawValue] = .init(title: title)
    case 2: model.members.insert(objects.insert(FamilyMember.self).id.rawValue)
    case 3: model.directors.insert(objects.insert(Director.self).id.rawValue)
    case 4: model.films[objects.insert(Film.self).id.rawValue] = .some(nil)
    case 5:
      guard let id = pick(model.movies.keys) else { return }
      let movie = try objects.object(ObjectID<Movie>(rawValue: id))
      movie.title = title
      model.movies[id]?.title = title
      // Unique values move between objects.
      let wanted = Int64.random(in: 0..<8, using: &random)
      for (other, entry) in model.movies where entry.remoteID == wanted {
        try objects.object(ObjectID<Movie>(rawValue: other)).remoteID = nil
        model.movies[other]?.remoteID = nil
      }
      movie.remoteID = wanted
      model.movies[id]?.remoteID = wanted
    case 6, 7:
      guard let movie = pick(model.movies.keys), let member = pick(model.members) else { return }
      let (one, other) = (
        try objects.object(ObjectID<Movie>(rawValue: movie)),
        try objects.object(ObjectID<FamilyMember>(rawValue: member))
      )
      let adds = chance(70)
      if chance(30) { _ = Array(one.familyMembers) }
      if chance(30) { _ = Array(other.movies) }
      if chance(50) {
        if adds { one.familyMembers.insert(other) } else { one.familyMembers.remove(other) }
      } else {
        if adds { other.movies.insert(one) } else { other.movies.remove(one) }
      }
      if adds { model.links.insert([movie, member]) } else { model.links.remove([movie, member]) }
      guard one.familyMembers.contains(other) == adds, other.movies.contains(one) == adds else { throw Stop() }
    case 8:
      guard let film = pick(model.films.keys) else { return }
      let object = try objects.object(ObjectID<Film>(rawValue: film))
      let director = chance(20) ? nil : pick(model.directors)
      let target = try director.map { try objects.object(ObjectID<Director>(rawValue: $0)) }
      if chance(50) { for director in try objects.fetch(Director.self) { _ = Array(director.films) } }
      if let target, chance(50) { target.films.insert(object) } else { object.director = target }
      model.films[film] = .some(director)
      guard object.director === target, target?.films.contains(object) ?? true else { throw Stop() }
    case 9:
      guard let id = pick(model.movies.keys) else { return }
      objects.delete(try objects.object(ObjectID<Movie>(rawValue: id)))
      model.movies[id] = nil
      model.links = model.links.filter { $0[0] != id }
    case 10:
      if chance(50), let id = pick(model.members) {
        objects.delete(try objects.object(ObjectID<FamilyMember>(rawValue: id)))
        model.members.remove(id)
        model.links = model.links.filter { $0[1] != id }
      } else if let id = pick(model.directors) {
        objects.delete(try objects.object(ObjectID<Director>(rawValue: id)))
        model.directors.remove(id)
        for (film, director) in model.films where director == id { model.films[film] = .some(nil) }
      }
    default: guard try Walk.read(objects) == model else { throw Stop() }
    }
  }

  static func read(_ objects: ObjectSpace) throws -> Model {
    var model = Model()
    for movie in try objects.fetch(Movie.self) {
      model.movies[movie.id.rawValue] = .init(title: movie.title, remoteID: movie.remoteID)
      for member in movie.familyMembers {
        model.links.insert([movie.id.rawValue, member.id.rawValue])
        guard member.movies.contains(movie) else { throw Stop() }
      }
    }
    for member in try objects.fetch(FamilyMember.self) {
      model.members.insert(member.id.rawValue)
      guard member.movies.count == model.links.count(where: { $0[1] == member.id.rawValue }) else { throw Stop() }
    }
    for director in try objects.fetch(Director.self) { model.directors.insert(director.id.rawValue) }
    for film in try objects.fetch(Film.self) {
      model.films[film.id.rawValue] = .some(film.director?.id.rawValue)
      guard film.director?.films.contains(film) ?? true else { throw Stop() }
    }
    return model
  }
}

/// Carries the walk into a closure and out again.
private final class Carrier: @unchecked Sendable {
  var walk: Walk

  init(_ walk: Walk) { self.walk = walk }
}

@Suite struct ModelTests {
  /// More seeds with `LARDER_WALKS=100`.
  static let seeds: [UInt64] = {
    let count = ProcessInfo.processInfo.environment["LARDER_WALKS"].flatMap { Int($0) } ?? 6
    return (0..<count).map { _ in UInt64.random(in: 0..<1_000_000) }
  }()

  @Test(arguments: seeds)
  func `a store agrees with plain dictionaries after random changes and failures`(_ seed: UInt64) async throws {
    let container = try await PersistentContainer(
      at: .inMemory, schema: Schema(Movie.self, FamilyMember.self, Film.self, Director.self))
    let contexts = [container.newContext(), container.newContext()]
    let carrier = Carrier(Walk(random: SplitMix(seed: seed), model: Model()))
    for round in 0..<60 {
      let before = carrier.walk.model
      let fails = carrier.walk.random.next() % 4 == 0
      let steps = Int(carrier.walk.random.next() % 30)
      let context = contexts[Int(carrier.walk.random.next() % 2)]
      var failure: (any Error)?
      do throws(PersistenceError) {
        try await context.persist { objects in
          for _ in 0..<steps { try carrier.walk.step(objects) }
          if fails { throw CancellationError() }
        }
      } catch {
        if case .body(let cause) = error { failure = cause } else { failure = error }
        carrier.walk.model = before
      }
      #expect(fails ? failure is CancellationError : failure == nil, "seed \(seed), round \(round): \(failure as Any)")
      let found = try await contexts[round % 2].perform { try Walk.read($0) }
      #expect(found == carrier.walk.model, "seed \(seed), round \(round)")
      if found != carrier.walk.model { return }
    }
  }

  @Test func `contexts of a store in memory wait for each other`() async throws {
    let container = try await PersistentContainer(at: .inMemory, schema: Schema(Counter.self))
    let id = try await container.newContext().persist { $0.insert(Counter.self).id }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<3 {
        let context = container.newContext()
        group.addTask { for _ in 0..<30 { try await context.persist { try $0.object(id).value += 1 } } }
        group.addTask { for _ in 0..<30 { _ = try await context.perform { try $0.object(id).value } } }
      }
      try await group.waitForAll()
    }
    #expect(try await container.newContext().perform { try $0.object(id).value } == 90)
  }
}
