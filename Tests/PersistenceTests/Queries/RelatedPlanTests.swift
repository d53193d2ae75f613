import CLarderSQLite
import Foundation
import Testing

@testable import Persistence

final class Club: ManagedObject {
  @Attribute(.indexed) var name = ""
  @ToMany(inverse: \Team.club) var teams: RelatedObjects<Team>
}

final class Team: ManagedObject {
  @Attribute(.indexed) var name = ""
  @Attribute var town = ""
  @ToOne var club: Club?
  @ToMany(inverse: \Player.team) var players: RelatedObjects<Player>
}

final class Player: ManagedObject {
  @Attribute(.unique) var number = 0
  @Attribute(.indexed) var score = 0
  @Attribute(.indexed) var day = 0
  @Attribute(.indexed) var isActive = true
  @ToOne var team: Team?
  @ToMany(inverse: \Badge.players) var badges: RelatedObjects<Badge>
}

final class Badge: ManagedObject {
  @Attribute(.indexed) var title = ""
  @ToMany var players: RelatedObjects<Player>
}

/// Queries with conditions on related objects start at these if few match, and at the class itself if many do.
@Suite struct RelatedPlanTests {
  private static let players = 6000
  private let container: PersistentContainer

  /// 6 000 players in 600 teams of 60 clubs; half of them in the team "crowd". One badge is worn by five, another by
  /// all.
  init() async throws {
    container = try await PersistentContainer(
      at: .inMemory, schema: Schema(Club.self, Team.self, Player.self, Badge.self))
    try await container.newContext().persist { objects in
      let clubs = (0..<60).map { number in
        let club = objects.insert(Club.self)
        club.name = "c\(number)"
        return club
      }
      let teams = (0..<600).map { number in
        let team = objects.insert(Team.self)
        (team.name, team.town, team.club) = (number == 0 ? "crowd" : "t\(number)", "town \(number)", clubs[number % 60])
        return team
      }
      let (few, all) = (objects.insert(Badge.self), objects.insert(Badge.self))
      (few.title, all.title) = ("few", "all")
      for number in 0..<Self.players {
        let player = objects.insert(Player.self)
        (player.number, player.score, player.day) = (number, number * 7919 % Self.players, number * 31 % Self.players)
        player.team = number.isMultiple(of: 2) ? teams[0] : teams[1 + number / 2 % 599]
        if number < 5 { player.badges.insert(few) }
        player.badges.insert(all)
      }
    }
  }

  private func explain<Object: ManagedObject>(_ request: FetchDescriptor<Object>) async throws -> FetchExplanation {
    try await container.newContext().perform { (objects) throws in
      // All forms find the same objects, whichever is chosen.
      let forms = try objects.forms(of: request)
      if !request.hasBounds { for form in forms { #expect(form.ids == forms[0].ids, "\(form.sql)") } }
      return try objects.explainSQL(request)
    }
  }

  /// Expects a plan that looks rows up by these columns and scans no table.
  private func expect<Object: ManagedObject>(
    _ columns: [String], for request: FetchDescriptor<Object>, _ location: SourceLocation = #_sourceLocation
  ) async throws {
    let explanation = try await explain(request)
    let found = explanation.plan.compactMap { line in
      columns.first { line.hasPrefix("SEARCH") && line.hasSuffix("(\($0))") }
    }
    #expect(Set(found) == Set(columns), "\(explanation)", sourceLocation: location)
    #expect(!explanation.plan.contains { $0.hasPrefix("SCAN") }, "\(explanation)", sourceLocation: location)
  }

  private func expect<Object: ManagedObject>(
    _ columns: [String], for query: Query<Object>, _ location: SourceLocation = #_sourceLocation
  ) async throws { try await expect(columns, for: FetchDescriptor(matching: query), location) }

  @Test func `a query over a to-one starts at its target`() async throws {
    try await expect(["name=?", "team=?"], for: Query<Player> { $0.team.contains { $0.name == "t7" } })
    try await expect(
      ["name=?", "team=?"], for: Query<Player> { $0.team.contains { $0.name == "t7" && $0.town != "here" } })
    try await expect(
      ["name>? AND name<?", "team=?"], for: Query<Player> { $0.team.contains { $0.name.hasPrefix("t7") } })
  }

  @Test func `a path over a to-one starts at its target`() async throws {
    try await expect(["name=?", "team=?"], for: Query<Player> { $0.team.name == "t7" })
    try await expect(["name=?", "team=?"], for: Query<Player> { $0.team.name == "t7" && $0.team.town != "here" })
    try await expect(["name>? AND name<?", "team=?"], for: Query<Player> { $0.team.name.hasPrefix("t7") })
    try await expect(["name=?", "team=?"], for: Query<Player> { $0.team.name.isIn(["t7", "t8"]) })
    try await expect(["name=?", "club=?", "team=?"], for: Query<Player> { $0.team.club.name == "c7" })
  }

  @Test func `a predicate's path over a to-one starts at its target`() async throws {
    try await expect(["name=?", "team=?"], for: Query(#Predicate<Player> { $0.team?.name == "t7" }))
    try await expect(["name=?", "team=?"], for: Query(#Predicate<Player> { $0.team!.name == "t7" }))
    try await expect(
      ["name=?", "team=?"], for: Query(#Predicate<Player> { $0.team.flatMap { $0.name == "t7" } ?? false }))
    let two = Query(#Predicate<Player> { $0.team?.club?.name == "c7" })
    try await expect(["name=?", "club=?", "team=?"], for: two)
  }

  @Test func `a query over a to-many starts at its members`() async throws {
    try await expect(["score<?", "rowid=?"], for: Query<Team> { $0.players.contains { $0.score < 5 } })
    try await expect(["number=?", "rowid=?"], for: Query<Team> { $0.players.contains { $0.number == 5 } })
    try await expect(["score<?", "rowid=?"], for: Query(#Predicate<Team> { $0.players.contains { $0.score < 5 } }))
  }

  @Test func `a range condition on members is estimated with both of its bounds`() async throws {
    // Half of all rows match either bound alone
    let query = Query<Team> { $0.players.contains { $0.score.isIn(3000..<3004) } }
    try await expect(["score>? AND score<?", "rowid=?"], for: query)
    try await expect(
      ["score>? AND score<?", "rowid=?"], for: FetchDescriptor(matching: query, sort: [.ascending(\.name)], limit: 5))
  }

  @Test func `a query over a many-to-many starts at its members`() async throws {
    try await expect(["title=?", "rowid=?"], for: Query<Player> { $0.badges.contains { $0.title == "few" } })
    try await expect(["number=?", "rowid=?"], for: Query<Badge> { $0.players.contains { $0.number == 3 } })
  }

  @Test func `a query over nested relationships starts at the innermost one`() async throws {
    try await expect(
      ["name=?", "club=?", "team=?"],
      for: Query<Player> { $0.team.contains { $0.club.contains { $0.name == "c7" && $0.name != "x" } } })
    try await expect(
      ["number=?", "rowid=?"], for: Query<Club> { $0.teams.contains { $0.players.contains { $0.number == 3 } } })
    try await expect(
      ["title=?", "rowid=?"], for: Query<Team> { $0.players.contains { $0.badges.contains { $0.title == "few" } } })
  }

  @Test func `a query over several relationships starts at the one that fewer rows match`() async throws {
    try await expect(
      ["title=?", "rowid=?"],
      for: Query<Player> { $0.team.contains { $0.name == "crowd" } && $0.badges.contains { $0.title == "few" } })
    try await expect(
      ["title=?", "rowid=?"],
      for: Query<Player> { $0.badges.contains { $0.title == "few" } && $0.team.contains { $0.name == "crowd" } })
  }

  @Test func `a query can start at a small related table without an index`() async throws {
    let explanation = try await explain(FetchDescriptor(Player.self, where: { $0.team.town == "town 7" }))
    #expect(explanation.plan.contains { $0.hasPrefix("SEARCH t0 USING INDEX") && $0.hasSuffix("(team=?)") })
  }

  @Test func `the values of a query decide where it starts, not its shape`() async throws {
    try await container.newContext().perform { (objects) throws in
      func begins(_ name: String) throws -> Bool {
        var request = FetchDescriptor(Player.self, where: { $0.team.name == name }, sort: [.ascending(\.day)])
        request.limit = 20
        return try objects.explainSQL(request).plan.contains { $0.hasSuffix("(team=?)") }
      }
      for _ in 0..<3 {
        #expect(try begins("t7"))
        #expect(try !begins("crowd"))
      }
      #expect(objects.plans.count == 1)
    }
  }

  @Test func `a sorted query that many rows match starts at the index of its order`() async throws {
    let queries: [Query<Player>] = [
      Query { $0.team.contains { $0.name == "crowd" } }, Query { $0.badges.contains { $0.title == "all" } },
      Query { $0.team.contains { $0.club.contains { $0.name >= "c" } } }, Query { $0.team.club.name >= "c" },
    ]
    for query in queries {
      let explanation = try await explain(FetchDescriptor(matching: query, sort: [.ascending(\.day)], limit: 10))
      #expect(explanation.sql.contains("EXISTS"), "\(explanation)")
      #expect(explanation.plan.first?.hasPrefix("SCAN t0 USING INDEX") == true, "\(explanation)")
      #expect(!explanation.plan.contains { $0.contains("TEMP B-TREE") }, "\(explanation)")
    }
  }

  @Test func `a sorted query with a limit that few rows match starts at these rows`() async throws {
    try await expect(
      ["name=?", "team=?"],
      for: FetchDescriptor(Player.self, where: { $0.team.name == "t7" }, sort: [.ascending(\.day)], limit: 10))
  }

  @Test func `a query starts at an index of the class itself if that finds fewer rows`() async throws {
    let own = try await explain(FetchDescriptor(Player.self, where: { $0.number == 5 && $0.team.name == "crowd" }))
    #expect(own.plan.first?.hasSuffix("(number=?)") == true, "\(own)")
    let few = try await explain(
      FetchDescriptor(Player.self, where: { $0.score.isIn(0..<20) && $0.team.contains { $0.name == "t7" } }))
    #expect(few.plan.first?.hasSuffix("(score>? AND score<?)") == true, "\(few)")
    try await expect(["name=?", "team=?"], for: Query<Player> { $0.isActive && $0.team.name == "t7" })
  }

  @Test func `a query with or, not or inequality over a relationship scans the class`() async throws {
    let queries: [Query<Player>] = [
      Query { $0.team.contains { $0.name == "t7" } || $0.number == 5 }, Query { !$0.team.contains { $0.name == "t7" } },
      Query { $0.team.name != "t7" }, Query(#Predicate { $0.team?.name != "t7" }),
    ]
    for query in queries {
      let explanation = try await explain(FetchDescriptor(matching: query))
      #expect(explanation.plan.first == "SCAN t0", "\(explanation)")
    }
  }

  @Test func `all operations with a query over a relationship find the same rows`() async throws {
    let query = Query<Player> { $0.team.contains { $0.name == "t7" } }
    let expected = (0..<Self.players).filter { !$0.isMultiple(of: 2) && $0 / 2 % 599 == 6 }
    let container = container
    try await container.newContext().persist { (objects) throws in
      #expect(try objects.fetch(Player.self, matching: query).map(\.number) == expected)
      #expect(try objects.count(Player.self, matching: query) == expected.count)
      #expect(try objects.exists(FetchDescriptor(Player.self, matching: query)))
      #expect(try !objects.exists(Player.self, where: { $0.team.contains { $0.name == "nobody" } }))
      #expect(try objects.exists(FetchDescriptor(matching: query, sort: [.ascending(\.day)], limit: 3)))
      #expect(try !objects.exists(FetchDescriptor(matching: query, offset: expected.count)))
      #expect(
        try objects.aggregate(over: FetchDescriptor(matching: query)) { $0.sum { $0.number } }
          == expected.reduce(0) { $0 + Int64($1) }
      )
      var streamed: [Int] = []
      try objects.forEach(FetchDescriptor(matching: query)) { streamed.append($0.number) }
      #expect(streamed == expected)
      #expect(try objects.update(Player.self, matching: query, set: [.set(\.score, to: -1)]) == expected.count)
      #expect(try objects.delete(Player.self, matching: query) == expected.count)
      #expect(try objects.count(Player.self) == Self.players - expected.count)
    }
  }

  private func family() async throws -> PersistentContainer {
    let container = try await PersistentContainer(
      at: .inMemory, schema: Schema(Ticket.self, Board.self, Marker.self))
    try await container.newContext().persist { objects in
      let parent = objects.insert(Ticket.self)
      for code in 0..<3 as Range<Int64> {
        let ticket = objects.insert(Ticket.self)
        (ticket.code, ticket.parent) = (code, parent)
      }
    }
    return container
  }

  @Test func `a query that is too deep for SQLite is rejected in every operation`() async throws {
    let container = try await family()
    let (two, none) = (Query<Ticket> { $0.code == 2 }, Query<Ticket> { $0.code == nil })
    var deep = Query<Ticket> { $0.title == "" }
    var (answered, refused) = (0, 0)
    for depth in 0..<40 {
      let queries: [Query<Ticket>] = [
        Query { $0.children.contains { _ in two && deep } }, Query { $0.parent.contains { _ in none && deep } },
        Query { $0.children.contains { _ in two } && deep },
        Query { $0.children.contains { $0.blockers.contains { _ in deep } } },
      ]
      for query in queries {
        let isRefused = try await container.newContext().perform { (objects) throws -> Bool in
          do {
            let request = FetchDescriptor(matching: query)
            let ids = try Set(objects.fetch(request).map(\.id.rawValue))
            #expect(try objects.forms(of: request).allSatisfy { $0.ids == ids }, "\(depth)")
            #expect(try objects.count(FetchDescriptor(matching: query, limit: 9)) == ids.count)
            return false
          } catch PersistenceError.unsupportedQuery {
            return true
          }
        }
        if isRefused { refused += 1 } else { answered += 1 }
      }
      deep = !(deep || Query { $0.title == "z" })
    }
    #expect(answered > 50 && refused > 50)
  }

  @Test func `a query uses its shorter form if the other one is too long for SQLite`() async throws {
    let container = try await family()
    // The other form is three characters longer for each condition that an index could serve.
    let atLeast = Query<Ticket> { $0.code >= 0 }
    let query = Array(repeating: atLeast, count: 30).reduce(Query<Ticket> { $0.parent.contains { $0.title == "" } }) {
      $0 && $1
    }
    let lengths = try await container.newContext().perform { (objects) throws in
      let (plan, _) = try objects.plans.plan(
        for: FetchDescriptor(matching: query), objects.registry(of: Ticket.self).entity, on: objects.connection)
      return try plan.forms.map { try plan.plan($0, on: objects.connection).all.sql.utf8.count }
    }
    #expect(lengths.count == 2 && lengths[0] < lengths[1], "\(lengths)")
    try await container.newContext().perform { (objects) throws in
      sqlite3_limit(objects.connection.handle, SQLITE_LIMIT_SQL_LENGTH, Int32(lengths[0]))
      let (plan, _) = try objects.plans.plan(
        for: FetchDescriptor(matching: query), objects.registry(of: Ticket.self).entity, on: objects.connection)
      for _ in 0..<2 { #expect(try plan.plan(1, on: objects.connection) === plan) }
      #expect(try objects.fetch(Ticket.self, matching: query).map(\.code) == [0, 1, 2])
      #expect(try objects.count(Ticket.self, matching: query) == 3)
    }
  }

  @Test func `few objects with very many related ones are tested one by one`() async throws {
    let badges = try await explain(FetchDescriptor(Badge.self, where: { $0.players.contains { $0.score >= 0 } }))
    #expect(badges.sql.contains("EXISTS"), "\(badges)")
  }
}
