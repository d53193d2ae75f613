import Foundation
import Persistence

/// A program's classes in each of its releases. A store identifies a class by its name.
enum V1 {
  final class Person: ManagedObject {
    @Attribute var name = ""
    @ToMany(inverse: \V1.Film.director) var films: RelatedObjects<V1.Film>
    @ToMany var seen: RelatedObjects<V1.Film>
  }

  final class Film: ManagedObject {
    @Attribute var name = ""
    @Attribute(.indexed) var year = 0
    @Attribute var minutes = 0
    @Attribute var remark = ""
    @ToOne var director: V1.Person?
    @ToMany(inverse: \V1.Person.seen, ordered: true) var viewers: RelatedObjects<V1.Person>
  }

  final class Note: ManagedObject {
    @Attribute var text = ""
  }

  static let schema = Schema(Person.self, Film.self, Note.self)
}

/// Additions are inferred, renamings are declared.
enum V2 {
  final class Human: ManagedObject {
    @Attribute var name = ""
    @Attribute var born: Int?
    @ToMany(inverse: \V2.Film.director, ordered: true) var films: RelatedObjects<V2.Film>
    @ToMany var watched: RelatedObjects<V2.Film>
  }

  final class Film: ManagedObject {
    @Attribute var title = ""
    @Attribute(.indexed) var year = 0
    @Attribute var minutes = 0
    @Attribute var remark: String?
    @Attribute var rating = 2.5
    @Attribute(.unique) var remoteID: Int64?
    @ToOne var director: V2.Human?
    @ToMany(inverse: \V2.Human.watched, ordered: true) var viewers: RelatedObjects<V2.Human>
    @ToMany(inverse: \V2.Genre.films) var genres: RelatedObjects<V2.Genre>
  }

  final class Note: ManagedObject {
    @Attribute var text = ""
  }

  final class Genre: ManagedObject {
    @Attribute var name = "?"
    @ToMany var films: RelatedObjects<V2.Film>
  }

  static let steps: [MigrationStep] = [
    .renameClass("Person", to: "Human", in: 2), .rename("seen", of: "Human", to: "watched", in: 2),
    .rename("name", of: "Film", to: "title", in: 2),
  ]
  static let schema = Schema(Human.self, Film.self, Note.self, Genre.self).version(2, steps)
}

/// Attributes and a class are removed, and minutes become seconds.
enum V3 {
  final class Human: ManagedObject {
    @Attribute var name = ""
    @ToMany(inverse: \V3.Film.director, ordered: true) var films: RelatedObjects<V3.Film>
    @ToMany var watched: RelatedObjects<V3.Film>
  }

  final class Film: ManagedObject {
    @Attribute var title = ""
    @Attribute(.indexed) var year = 0
    @Attribute var seconds = 0
    @Attribute var remark = "none"
    @Attribute var rating = 2.5
    @Attribute(.unique) var remoteID: Int64?
    @ToOne var director: V3.Human?
    @ToMany(inverse: \V3.Human.watched, ordered: true) var viewers: RelatedObjects<V3.Human>
    @ToMany(inverse: \V3.Genre.films) var genres: RelatedObjects<V3.Genre>
    override class var indexes: [AttributeIndex] { [.on(\Film.title, \Film.year)] }
  }

  final class Genre: ManagedObject {
    @Attribute var name = "?"
    @ToMany var films: RelatedObjects<V3.Film>
  }

  static let steps: [MigrationStep] =
    V2.steps + [
      .custom("minutes become seconds", in: 3) { store in
        try store.addAttribute("seconds", .integer, of: "Film", initial: .integer(0))
        try store.forEachRow(of: "Film") { row in
          guard case .integer(let minutes) = try row["minutes"] else { throw NotMinutes() }
          try store.update("Film", id: row.id, ["seconds": .integer(minutes * 60)])
        }
      }
    ]
  static let schema = Schema(Human.self, Film.self, Genre.self).version(3, steps)
}

/// The contents of a store of the first release. They depend only on the row's number, so every run gives the same.
enum ReleasedContents {
  static func name(_ number: Int) -> String { "Film \(number) – “ß”" }
  static func director(_ number: Int) -> String { number % 3 == 0 ? "Ethel" : "Joel" }

  static func fillFirst(_ url: URL, films: Int) async throws {
    let container = try await PersistentContainer(at: .file(url), schema: V1.schema)
    try await container.newContext().persist { objects in
      let people = ["Ethel", "Joel"].map { name in
        let person = objects.insert(V1.Person.self)
        person.name = name
        return person
      }
      for number in 0..<films {
        let film = objects.insert(V1.Film.self)
        film.name = name(number)
        film.year = 1980 + number % 40
        film.minutes = 90 + number
        film.remark = number % 2 == 0 ? "remark \(number)" : ""
        film.director = people[number % 3 == 0 ? 0 : 1]
        film.viewers = RelatedObjects(number % 2 == 0 ? [people[1], people[0]] : [people[0]])
      }
      objects.insert(V1.Note.self).text = "kept until the third release"
    }
  }

  static func fillSecond(_ url: URL, films: Int) async throws {
    let container = try await PersistentContainer(at: .file(url), schema: V2.schema)
    try await container.newContext().persist { objects in
      let people = ["Ethel", "Joel"].map { name in
        let person = objects.insert(V2.Human.self)
        person.name = name
        return person
      }
      for number in 0..<films {
        let film = objects.insert(V2.Film.self)
        film.title = name(number)
        film.year = 1980 + number % 40
        film.minutes = 90 + number
        film.remark = number % 2 == 0 ? "remark \(number)" : nil
        film.director = people[number % 3 == 0 ? 0 : 1]
        film.viewers = RelatedObjects(number % 2 == 0 ? [people[1], people[0]] : [people[0]])
      }
      objects.insert(V2.Note.self).text = "kept until the third release"
    }
  }

  static func fillThird(_ url: URL, films: Int) async throws {
    let container = try await PersistentContainer(at: .file(url), schema: V3.schema)
    try await container.newContext().persist { objects in
      let people = ["Ethel", "Joel"].map { name in
        let person = objects.insert(V3.Human.self)
        person.name = name
        return person
      }
      for number in 0..<films {
        let film = objects.insert(V3.Film.self)
        film.title = name(number)
        film.year = 1980 + number % 40
        film.seconds = (90 + number) * 60
        film.remark = number % 2 == 0 ? "remark \(number)" : "none"
        film.director = people[number % 3 == 0 ? 0 : 1]
        film.viewers = RelatedObjects(number % 2 == 0 ? [people[1], people[0]] : [people[0]])
      }
    }
  }

  /// Whether a store of the first release is complete.
  static func firstIsWhole(_ url: URL, films: Int) async throws -> Bool {
    let container = try await PersistentContainer(at: .file(url), schema: V1.schema) {
      $0.migratesAutomatically = false
    }
    return try await container.newContext().perform { objects in
      let found = try objects.fetch(V1.Film.self)
      guard found.count == films, try objects.count(V1.Note.self) == 1 else { return false }
      return found.enumerated().allSatisfy { number, film in
        film.name == name(number) && film.year == 1980 + number % 40 && film.minutes == 90 + number
          && film.remark == (number % 2 == 0 ? "remark \(number)" : "") && film.director?.name == director(number)
          && film.viewers.map(\.name) == (number % 2 == 0 ? ["Joel", "Ethel"] : ["Ethel"])
      }
    }
  }

  /// Opens a store of any release with the classes of the third one and compares its contents.
  static func thirdIsWhole(
    _ url: URL, films: Int, emptyRemark: String, configure: @Sendable (inout StoreConfiguration) -> Void = { _ in }
  ) async throws -> Bool {
    let container = try await PersistentContainer(at: .file(url), schema: V3.schema, configure: configure)
    return try await container.newContext().perform { objects in
      let found = try objects.fetch(V3.Film.self)
      guard found.count == films else { return false }
      let isWhole = found.enumerated().allSatisfy { number, film in
        film.title == name(number) && film.year == 1980 + number % 40 && film.seconds == (90 + number) * 60
          && film.remark == (number % 2 == 0 ? "remark \(number)" : emptyRemark) && film.rating == 2.5
          && film.director?.name == director(number) && film.genres.isEmpty && film.remoteID == nil
          && film.viewers.map(\.name) == (number % 2 == 0 ? ["Joel", "Ethel"] : ["Ethel"])
      }
      return isWhole
    }
  }
}

struct NotMinutes: Error {}
