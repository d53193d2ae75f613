import Foundation
import Testing

@testable import Persistence

/// What rows of a SQL query can be decoded into.
@Suite struct SelectTests {
  fileprivate struct Summary: Decodable, Equatable {
    var studio: String?
    var number: Int
    var mean: Double?
  }

  private struct Whole: Decodable, Equatable {
    enum Plain: String, Decodable { case drama, comedy, war }
    var _id: ObjectID<Show>
    var key: String
    var year: Int16
    var rating: Double?
    var seen: Bool
    var liked: Bool?
    var genre: Genre
    var second: Plain?
    var aired: Date
    var code: UUID?
    var price: Decimal?
    var small: Float
    var missing: Int?
  }

  private func failure<Record: Decodable>(
    _ query: SQLQuery, _ type: Record.Type, _ objects: ObjectSpace
  ) throws -> SQLQueryFailure? {
    do {
      _ = try objects.select(query, as: type)
      return nil
    } catch PersistenceError.queryFailed(let failure) {
      return failure
    }
  }

  private struct Misspelled: Decodable {
    enum CodingKeys: String, CodingKey { case title = "titel" }
    let title: String

    /// Asks for a column by its own means.
    init(from decoder: any Decoder) throws {
      let columns = try decoder.container(keyedBy: CodingKeys.self)
      guard columns.contains(.title) else {
        throw DecodingError.keyNotFound(CodingKeys.title, .init(codingPath: [], debugDescription: "a secret"))
      }
      title = try columns.decode(String.self, forKey: .title)
    }
  }

  private struct Titled: Decodable { let titel: String }

  @Test func `the error about a misspelled column contains what was written`() async throws {
    let container = try await PersistentContainer.shows()
    try await container.newContext().persist { $0.insertThreeShows() }
    try await container.newContext().perform { objects in
      let query: SQLQuery = "SELECT key, year FROM \(Show.self)"
      let own = try #require(try failure(query, Misspelled.self, objects))
      #expect(own.message.hasSuffix("at titel") && !own.description.contains("secret"))
      let missing = try #require(try failure(query, Titled.self, objects))
      #expect(missing.message == "the result has no column titel: its columns are key, year")
      #expect(try failure("SELECT titel FROM \(Show.self)", String.self, objects)?.message.contains("titel") == true)
    }
  }

  @Test func `selected rows become structs with properties of any type`() async throws {
    let container = try await PersistentContainer.shows()
    let (code, aired) = (UUID(), Date(timeIntervalSince1970: 1_792_800_000.25))
    try await container.newContext().persist { objects in
      let studio = objects.insert(Studio.self)
      studio.name = "Ealing"
      for number in 1...3 {
        let show = objects.insert(Show.self)
        (show.key, show.year, show.genre) = ("\(number)", 1990 + number, .comedy)
        if number == 2 { continue }
        (show.rating, show.seen, show.liked, show.second) = (Double(number), true, false, .war)
        (show.aired, show.code, show.price, show.small) = (aired, code, Decimal(string: "-12.5"), 0.1)
        show.studio = studio
      }
    }
    try await container.newContext().perform { objects in
      for columns: SQLQuery in ["*", "_id,key,year,rating,seen,liked,genre,second,aired,code,price,small"] {
        let rows = try objects.select("SELECT \(columns) FROM \(Show.self) ORDER BY key", as: Whole.self)
        #expect(rows.map(\.key) == ["1", "2", "3"] && rows.map(\.year) == [1991, 1992, 1993])
        let (first, second) = (rows[0], rows[1])
        #expect(first.rating == 1 && first.seen && first.liked == false && first.second == .war)
        #expect(first.aired == aired && first.code == code && first.price == -12.5 && first.small == 0.1)
        #expect(second.rating == nil && !second.seen && second.liked == nil && second.second == nil)
        #expect(second.code == nil && second.price == nil && second.genre == .comedy && second.missing == nil)
        #expect(try rows.map(\._id) == objects.fetchIDs(FetchDescriptor(Show.self, sort: [.ascending(\.key)])))
      }
      let summaries = try objects.select(
        """
        SELECT s.name AS studio, count(*) AS number, avg(\(\Show.rating)) AS mean FROM \(Show.self)
        LEFT JOIN \(Studio.self) s ON s._id = \(\Show.studio) WHERE \(\Show.year) > \(1990) GROUP BY s._id ORDER BY 1
        """, as: Summary.self)
      #expect(summaries == [Summary(number: 1), Summary(studio: "Ealing", number: 2, mean: 2)])
      // Decimals are compared by their sort keys.
      let limit: Decimal = -100
      let prices = try objects.select(
        "SELECT \(\Show.price) FROM \(Show.self) WHERE \(\Show.price) > \(sortKey: limit)", as: Decimal.self)
      #expect(prices == [-12.5, -12.5])
      // Otherwise `price > …` would compare the digits as text.
      let some: Decimal? = limit
      for query in ["SELECT \(limit)", "SELECT \(some)", "SELECT 1 IN \([limit])", "SELECT 1 IN \([some])"]
        as [SQLQuery]
      {
        #expect(try failure(query, Int.self, objects)?.reason == .invalidArgument)
      }
      let names = try objects.select("SELECT key, name FROM Show LIMIT 1", as: [String: String].self)
      #expect(names == [["key": "1", "name": ""]])
    }
  }

  @Test func `selected rows become single values and tuples`() async throws {
    let container = try await PersistentContainer.shows()
    try await container.newContext().persist { $0.insertThreeShows() }
    try await container.newContext().perform { objects in
      #expect(try objects.select("SELECT key FROM Show ORDER BY 1", as: String.self) == ["a", "b", "c"])
      #expect(try objects.select("SELECT \(Date(timeIntervalSince1970: 7)), 8", as: Date.self).count == 1)
      #expect(try objects.select("SELECT NULL UNION ALL SELECT 3", as: Int?.self) == [nil, 3])
      #expect(try objects.select("SELECT genre FROM Show LIMIT 1", as: Genre.self).count == 1)
      #expect(try objects.select("SELECT _id FROM Show", as: ObjectID<Show>.self).count == 3)
      let pairs = try objects.select("SELECT key, count(*) FROM Show GROUP BY 1 ORDER BY 1", as: (String, Int).self)
      #expect(pairs.map(\.0) == ["a", "b", "c"] && pairs.map(\.1) == [1, 1, 1])
      let triples = try objects.select("SELECT 1, NULL, \(true)", as: (UInt8, String?, Bool).self)
      #expect(triples.count == 1 && triples[0] == (1, nil, true))
      #expect(throws: PersistenceError.self) { try objects.select("SELECT 1", as: (Int, Int).self) }
      #expect(throws: PersistenceError.self) { try objects.select("SELECT 1, 2, 3", as: (Int, Int).self) }
      #expect(throws: PersistenceError.self) { try objects.select("SELECT 1, NULL", as: (Int, Int).self) }
    }
  }

  private struct Nested: Decodable {
    var number: Int
    var inner: Summary
  }

  private struct Picky: Decodable {
    init(from decoder: any Decoder) throws { throw Stop() }
  }

  @Test func `a selected row that does not fit is an error with its row and column`() async throws {
    let container = try await PersistentContainer.shows()
    try await container.newContext().perform { objects in
      let rows: SQLQuery = "SELECT 1 AS number UNION ALL SELECT"
      let text = try failure("\(rows) 'secret'", Summary.self, objects)
      #expect(text?.reason == .invalidValue && text?.row == 1 && text?.column == "number")
      #expect(text.map { "\($0)".contains("value is not of the type Int") } == true)
      let null = try failure("\(rows) NULL", Summary.self, objects)
      #expect(null?.reason == .invalidValue && null?.row == 1 && null?.message == "null is not of the type Int")
      #expect(try failure("SELECT 1.5 AS number", Summary.self, objects)?.reason == .invalidValue)
      let missing = try failure("SELECT 1 AS numbers", Summary.self, objects)
      #expect(missing?.reason == .missingColumn && missing?.column == "number" && missing?.row == 0)
      let nested = try failure("SELECT 1 AS number, 2 AS inner", Nested.self, objects)
      #expect(nested?.reason == .unsupportedType && nested?.column == "inner")
      #expect(try failure("SELECT 1", [Int].self, objects)?.reason == .unsupportedType)
      for query: SQLQuery in ["SELECT 256", "SELECT -1", "SELECT 'a'", "SELECT NULL", "SELECT x'00'", "SELECT 1.0"] {
        #expect(try failure(query, UInt8.self, objects)?.reason == .invalidValue)
      }
      for query: SQLQuery in ["SELECT x'00'", "SELECT 'a'"] {
        #expect(try failure(query, UUID.self, objects)?.reason == .invalidValue)
        #expect(try failure(query, Date.self, objects)?.reason == .invalidValue)
        #expect(try failure(query, Decimal.self, objects)?.reason == .invalidValue)
        #expect(try failure(query, Genre.self, objects)?.reason == .invalidValue)
      }
      let plain = try failure("SELECT 'x' AS second, 0 AS _id", ObjectID<Show>.self, objects)
      #expect(plain?.reason == .invalidValue && plain?.column == "second")
      #expect(try failure("SELECT 1 WHERE 0", Nested.self, objects) == nil)
      #expect {
        try objects.select("SELECT 1", as: Picky.self)
      } throws: { error in
        guard case .body(let cause) = error as? PersistenceError else { return false }
        return cause is Stop
      }
      #expect(try objects.select("SELECT 1", as: Int.self) == [1])
    }
  }

  /// Selects in the midst of another selection.
  private struct Reentrant: Decodable {
    // nonisolated(unsafe): set and read by one test, within one closure of a context.
    nonisolated(unsafe) static var objects: ObjectSpace?
    var number: Int
    enum CodingKeys: CodingKey { case number }

    init(from decoder: any Decoder) throws {
      number = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .number)
      let query: SQLQuery = "SELECT value AS number FROM json_each('[1,2,3]')"
      number += try Self.objects?.select(query, as: Int.self).count ?? 0
    }
  }

  /// Keeps its decoder.
  private struct Keeping: Decodable {
    let decoder: any Decoder
    init(from decoder: any Decoder) throws {
      self.decoder = decoder
      _ = try decoder.container(keyedBy: Summary.Key.self)
    }
  }

  @Test func `a row can run another query while it is decoded, and may keep its decoder`() async throws {
    let container = try await PersistentContainer.shows()
    try await container.newContext().perform { objects in
      Reentrant.objects = objects
      defer { Reentrant.objects = nil }
      let query: SQLQuery = "SELECT value AS number FROM json_each('[1,2,3]')"
      #expect(try objects.select(query, as: Reentrant.self).map(\.number) == [4, 5, 6])
      #expect(try objects.select(query, as: Reentrant.self).map(\.number) == [4, 5, 6])
      let kept = try objects.select("SELECT 7 AS number", as: Keeping.self)[0].decoder
      #expect(throws: (any Error).self) {
        try kept.container(keyedBy: Summary.Key.self).decode(Int.self, forKey: .number)
      }
    }
  }

  @Test func `a select returns a hundred thousand rows`() async throws {
    let container = try await PersistentContainer(at: .inMemory, schema: Schema(Film.self, Director.self))
    let context = container.newContext()
    struct Line: Decodable { var _id: Int64, title: String, year: Int, director: Int64? }
    try await context.persist { objects in
      for number in 0..<100_000 {
        let film = objects.insert(Film.self)
        (film.title, film.year) = ("film \(number)", number)
      }
    }
    try await context.perform { objects in
      for _ in 0..<2 {
        let lines = try objects.select("SELECT * FROM Film ORDER BY _id", as: Line.self)
        #expect(lines.count == 100_000 && lines[99_999].year == 99_999 && lines[99_999].title == "film 99999")
      }
    }
  }
}

extension SelectTests.Summary {
  fileprivate enum Key: CodingKey { case number }
}
