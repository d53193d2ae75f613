import ExampleReplicas
import FetchKitTesting
import Foundation
import LarderTestSupport
import Testing

/// `MustC` as a user at a terminal runs it: a child process, a real socket, a store on disk.
@Suite struct MustCTests {
  private let mustC = Program(name: "MustC")
  private let folder: TemporaryFolder
  private var store: String { folder.path("mustc.store") }

  init() throws {
    folder = try TemporaryFolder()
  }

  struct Row: Decodable, Equatable {
    let title: String
    let remoteID: Int64?
    let popularity: Double?
    let rating: Double?
    let members: [String]
  }

  struct Refresh: Decodable, Equatable {
    let result: String
    let updated: Int
    let failed: Int
  }

  @Test func `the MustC demo runs and every step passes`() async throws {
    let output = try await mustC("demo")
    #expect(output.status == 0, "\(output.errors)")
    #expect(output.text.hasSuffix("All checks passed.\n"))
    #expect(output.text.split(separator: "\n").allSatisfy { $0.count <= 100 })
  }

  @Test(.enabled(if: Fixtures.has("tmdb"), "no recorded responses of the movie database"))
  func `movies are added, listed and refreshed with recorded responses`() async throws {
    try await story(.recorded())
  }

  @Test func `movies are added, listed and refreshed with responses of the same shape`() async throws {
    try await story(.miniature())
  }

  private func story(_ answers: MovieResponses) async throws {
    // Given a server that has details of two of three movies
    let server = try answers.serve()
    let base = server.url.appending(path: "3").absoluteString
    func run(_ arguments: String...) async throws -> ChildProcess.Output {
      let line = arguments + ["--base-url", base, "--store", store, "--json"]
      return try await mustC(line, environment: ["TMDB_API_KEY": "planted-secret"])
    }

    // When three are added
    let inception = try await run("add", "Inception", "--member", "Ada").json(Row.self)
    let club = try await run("add", "Fight Club", "--member", "Ada").json(Row.self)
    let zombies = try await run("add", "Zombie Fight Club", "--member", "Grace").json(Row.self)

    // Then each has the numbers of the hit with its title
    #expect(inception.remoteID == 27205)
    #expect(inception.rating == 8.369)
    #expect(inception.popularity == 25.0601)
    #expect(club.remoteID == 550)
    #expect(zombies.remoteID == 289732)
    #expect(zombies.members == ["Grace"])
    #expect(server.requests.allSatisfy { $0.query("api_key") == "planted-secret" })

    // And a refresh updates the movies whose details changed, and one 404 does not stop the rest
    let refreshed = try await run("refresh")
    #expect(try refreshed.json(Refresh.self) == Refresh(result: "newData", updated: 1, failed: 1))
    let again = try await run("refresh")
    #expect(try again.json(Refresh.self) == Refresh(result: "failed", updated: 0, failed: 1))
    #expect(!again.errors.contains("planted-secret"))

    // And all of it is in the list, sorted by title
    let list = try await run("list").json([Row].self)
    #expect(list.map(\.title) == ["Fight Club", "Inception", "Zombie Fight Club"])
    #expect(list.first?.popularity != club.popularity)
    #expect(list.first { $0.title == "Inception" } == inception)
  }

  @Test func `a movie that two members add in different spellings is stored once`() async throws {
    for (title, member) in [("Amélie", "Ada"), ("AMELIE", "Grace"), ("Amelie", "Ada")] {
      let output = try await mustC("add", title, "--member", member, "--store", store)
      #expect(output.status == 0, "\(output.errors)")
    }
    let list = try await mustC("list", "--store", store, "--json").json([Row].self)
    #expect(list.count == 1)
    #expect(list.first?.title == "Amélie")
    #expect(list.first?.members == ["Ada", "Grace"])
  }

  @Test func `two titles that turn out to be the same movie become one`() async throws {
    var answers = try MovieResponses.miniature()
    answers.searches["Incepti"] = answers.searches["Inception"]
    let server = try answers.serve()
    let base = server.url.appending(path: "3").absoluteString
    for (title, member) in [("Inception", "Ada"), ("Incepti", "Grace")] {
      let output = try await mustC("add", title, "--member", member, "--store", store, "--base-url", base)
      #expect(output.status == 0, "\(output.errors)")
    }
    let list = try await mustC("list", "--store", store, "--base-url", base, "--json").json([Row].self)
    #expect(list.map(\.title) == ["Inception"])
    #expect(list.first?.members == ["Ada", "Grace"])
  }

  @Test func `watch prints the list and every change of it`() async throws {
    let server = try ExampleServer(numbers: .seeded(1))
    let base = server.movieDatabaseURL.absoluteString
    for title in ["Fargo", "Up"] {
      _ = try await mustC("add", title, "--member", "Ada", "--store", store, "--base-url", base)
    }
    let watch = ["watch", "--every", "0.02", "--store", store, "--base-url", base]
    let json = try mustC.start(watch + ["--json"])
    let first = try await json.line(with: "Fargo")
    server.changeNumbers()
    // The two movies change one after the other.
    let before = try JSONDecoder().decode([Row].self, from: Data(first.utf8))
    for await line in json.lines {
      let now = try JSONDecoder().decode([Row].self, from: Data(line.utf8))
      #expect(now.map(\.title) == ["Fargo", "Up"])
      if zip(before, now).allSatisfy({ $0.popularity != $1.popularity }) { break }
    }
    json.signal(SIGINT)
    #expect(await json.output().status == -SIGINT)

    let text = try mustC.start(watch)
    try await text.line(with: "Up ")
    server.changeNumbers()
    try await text.line(with: "Changed: ")
    text.signal(SIGINT)
    #expect(await text.output().errors.isEmpty)
  }

  @Test func `watch prints each change by another process once`() async throws {
    let server = try ExampleServer(numbers: .seeded(1))
    let base = server.movieDatabaseURL.absoluteString
    _ = try await mustC("add", "Fargo", "--member", "Ada", "--store", store, "--base-url", base)
    // The numbers are requested once, at the start: later changes come from other processes.
    let watch = try mustC.start(["watch", "--every", "3600", "--store", store, "--base-url", base, "--json"])
    var lines = [try await watch.line(with: "Fargo")]
    _ = try await mustC("add", "Up", "--member", "Grace", "--store", store, "--base-url", base)
    for await line in watch.lines {
      lines.append(line)
      if line.contains("Grace") { break }
    }
    _ = try await mustC("remove", "Fargo", "--store", store)
    for await line in watch.lines {
      lines.append(line)
      if !line.contains("Fargo") { break }
    }
    watch.signal(SIGINT)
    #expect(await watch.output().status == -SIGINT)
    #expect(zip(lines, lines.dropFirst()).allSatisfy { $0 != $1 }, "\(lines)")
    #expect(lines.last?.contains("Up") == true)
  }

  @Test func `an add that is interrupted during its request has stored the movie already`() async throws {
    let server = try LoopbackServer()
    server.on("*", .text("late").held(at: LoopbackGate()))
    let child = try mustC.start([
      "add", "Fargo", "--member", "Ada", "--base-url", server.url.absoluteString, "--store", store,
    ])
    await server.requests(atLeast: 1)
    child.signal(SIGINT)
    let output = await child.output()
    #expect(output.status == -SIGINT)
    #expect(output.text == "Stored: Fargo, for Ada\n")
    #expect(try await mustC("list", "--store", store, "--json").json([Row].self).map(\.title) == ["Fargo"])
  }

  @Test func `without a server a movie is still stored, and the error does not show the key`() async throws {
    let server = try MovieResponses.miniature().serve()
    let base = server.url.appending(path: "3").absoluteString
    server.stop()
    let output = try await mustC(
      "add", "Inception", "--member", "Ada", "--base-url", base, "--store", store, "--json",
      environment: ["TMDB_API_KEY": "planted-secret"])
    #expect(output.status == 0)
    #expect(output.errors.contains("refused"))
    #expect(!output.errors.contains("planted-secret"))
    let row = try output.json(Row.self)
    #expect(row == Row(title: "Inception", remoteID: nil, popularity: nil, rating: nil, members: ["Ada"]))
  }

  @Test func `a rejected key is an error in the service's own words, and the movie is stored`() async throws {
    let server = try MovieResponses.miniature().serve(refusing: true)
    let base = server.url.appending(path: "3").absoluteString
    let output = try await mustC(
      "add", "Inception", "--member", "Ada", "--base-url", base, "--store", store,
      environment: ["TMDB_API_KEY": "planted-secret"])
    #expect(output.status == 1)
    #expect(
      output.errors
        == "MustC: Inception is stored, without a rating: the service says: Not that key. (status 401)\n")
    let refresh = try await mustC("refresh", "--base-url", base, "--store", store, "--json")
    #expect(refresh.status == 1)
    #expect(try refresh.json(Refresh.self) == Refresh(result: "failed", updated: 0, failed: 1))
    #expect(refresh.errors.contains("Not that key."))
  }

  @Test func `the user's store is created on first use, and refreshing an empty one reports no data`() async throws {
    let server = try MovieResponses.miniature().serve()
    let data = ["XDG_DATA_HOME": folder.url.path, "HOME": folder.url.path]
    let line = ["refresh", "--base-url", server.url.appending(path: "3").absoluteString]
    let output = try await mustC(line, environment: data)
    #expect(output.status == 0)
    #expect(output.text == "noData: 0 updated, 0 failed\n")
    #expect(output.errors.hasPrefix("Storing all data in \(folder.url.path)/"))
    let again = try await mustC(line + ["--json"], environment: data)
    #expect(try again.json(Refresh.self) == Refresh(result: "noData", updated: 0, failed: 0))
    #expect(again.errors.isEmpty)
  }

  @Test func `made-up data from the replica has its own store and is labelled as made up`() async throws {
    // Given a movie with numbers from the replica, and one from a named server
    let data = ["XDG_DATA_HOME": folder.url.path, "HOME": folder.url.path]
    let server = try MovieResponses.miniature().serve()
    let real = ["--base-url", server.url.appending(path: "3").absoluteString]
    let invented = try await mustC("add", "Fargo", "--member", "Ada", environment: data)
    _ = try await mustC(["add", "Inception", "--member", "Ada"] + real, environment: data)

    // Then each has its own list, and made-up data is labelled so, in one line
    for output in [invented, try await mustC("list", environment: data)] {
      #expect(
        output.errors.hasPrefix(
          "Using made-up data from a replica of the movie database, stored in \(folder.url.path)/"))
      #expect(output.errors.split(separator: "\n").count == 1, "\(output.errors)")
    }
    func titles(_ more: [String]) async throws -> [String] {
      try await mustC(["list", "--json"] + more, environment: data).json([Row].self).map(\.title)
    }
    #expect(try await titles([]) == ["Fargo"])
    #expect(try await titles(real) == ["Inception"])
    #expect(try await mustC(["list"] + real, environment: data).errors.isEmpty)

    // And in a store that is named, only data from the replica is now labelled as made up
    let named = try await mustC("add", "Up", "--member", "Ada", "--store", store)
    #expect(
      named.errors == "Using made-up data from a replica of the movie database; use --live for the real service.\n")
    #expect(try await mustC("list", "--store", store).errors.isEmpty)
  }

  @Test(arguments: ["list", "members", "refresh"])
  func `a mistyped MustC store path is an error, not an empty store`(command: String) async throws {
    let output = try await mustC(command, "--store", folder.path("typo"))
    #expect(output.status == 1)
    #expect(output.errors == "MustC: there is no store at \(folder.path("typo"))\n")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
  }

  @Test func `members and their movies are listed, and unwanted movies are removed`() async throws {
    struct Member: Decodable, Equatable {
      let name: String
      let movies: [String]
    }
    for (title, member) in [("Fargo", "Ada"), ("Up", "Grace"), ("Fargo", "Grace")] {
      _ = try await mustC("add", title, "--member", member, "--store", store, "--seed", "1")
    }
    func members() async throws -> [Member] { try await mustC("members", "--store", store, "--json").json() }
    #expect(
      try await members() == [Member(name: "Ada", movies: ["Fargo"]), Member(name: "Grace", movies: ["Fargo", "Up"])])
    let hers = try await mustC("list", "--member", "ada", "--store", store, "--json").json([Row].self)
    #expect(hers.map(\.title) == ["Fargo"])
    let nobody = try await mustC("list", "--member", "Alan", "--store", store)
    #expect(nobody.errors == "MustC: there is no member “Alan”; run members to see all members\n")
    let removed = try await mustC("remove", "FARGO", "--store", store, "--json").json(Row.self)
    #expect(removed.title == "Fargo")
    #expect(try await members() == [Member(name: "Ada", movies: []), Member(name: "Grace", movies: ["Up"])])
    #expect(try await mustC("remove", "Fargo", "--store", store).status == 1)
  }

  @Test func `when a title finds several movies, the best match or the picked one is added`() async throws {
    let best = try await mustC("add", "alien", "--member", "Ada", "--store", store, "--seed", "1")
    #expect(best.text.contains("Using number 1"))
    #expect(best.text.contains("2.  Aliens"))
    let second = try await mustC(
      "add", "alien", "--member", "Ada", "--pick", "2", "--store", store, "--json", "--seed", "1")
    #expect(try second.json(Row.self).title == "Aliens")
    let list = try await mustC("list", "--store", store, "--json").json([Row].self)
    #expect(list.map(\.title) == ["Alien", "Aliens"])
    let none = try await mustC("add", "alien", "--member", "Ada", "--pick", "3", "--store", store, "--seed", "1")
    #expect(none.status == 1)
    #expect(none.errors.contains("there are 2 movies for “alien”, but no number 3"))
  }

  @Test func `movies of one title are two movies, each with its own year and members`() async throws {
    // Given two movies of one title, of which Ann has the first
    let hits = [(275, "1996-03-08", 7.9), (42, "1952-09-07", 6.1)].map {
      #"{"id":\#($0.0),"title":"Fargo","release_date":"\#($0.1)","vote_average":\#($0.2),"popularity":1}"#
    }
    let server = try LoopbackServer()
    server.on("/search/movie", .json("{\"results\":[\(hits.joined(separator: ","))]}"))
    server.on("/movie/275", .json(hits[0]))
    server.on("/movie/42", .json(hits[1]))
    func run(_ arguments: String...) async throws -> ChildProcess.Output {
      try await mustC(arguments + ["--store", store, "--base-url", server.url.absoluteString])
    }
    func list() async throws -> [Row] {
      try await run("list", "--json").json([Row].self).sorted { $0.remoteID ?? 0 < $1.remoteID ?? 0 }
    }
    #expect(try await run("add", "Fargo", "--member", "Ann").text.hasPrefix("Stored: Fargo, for Ann\n"))

    // When Bob picks the other, and again
    for _ in 1...2 {
      let picked = try await run("add", "Fargo", "--member", "Bob", "--pick", "2")
      #expect(picked.text.hasPrefix("Stored: Fargo (1952), for Bob\n"), "\(picked)")
    }

    // Then both are there
    let both = [
      Row(title: "Fargo", remoteID: 42, popularity: 1, rating: 6.1, members: ["Bob"]),
      Row(title: "Fargo", remoteID: 275, popularity: 1, rating: 7.9, members: ["Ann"]),
    ]
    #expect(try await list() == both)
    let text = try await run("list").text
    #expect(text.contains(#/Fargo +1952 +Bob +6.1/#) && text.contains(#/Fargo +1996 +Ann +7.9/#), "\(text)")
    #expect(try await run("refresh").text == "noData: 0 updated, 0 failed\n")

    // And the title alone matches neither until the movie database decides
    let third = try await run("add", "fargo", "--member", "Cid")
    #expect(third.text.contains("You already have this movie as Fargo (1996)."), "\(third)")
    #expect(try await list().map(\.members) == [["Bob"], ["Ann", "Cid"]])
    let dated = try await run("add", "FARGO", "--member", "Dan", "--year", "1952")
    #expect(dated.text.hasPrefix("Stored: Fargo (1952), for Dan\n"), "\(dated)")
    let removed = try await run("remove", "Fargo")
    #expect(
      removed.errors
        == "MustC: there are 2 movies titled “Fargo” from the years 1952, 1996; use --year YEAR\n")
    #expect(try await run("remove", "Fargo", "--year", "1952").text == "Removed: Fargo (1952)\n")
    #expect(try await list().map(\.remoteID) == [275])
  }

  @Test(arguments: ["group", "operations"]) func `both refresh styles give the same result`(style: String) async throws
  {
    let server = try ExampleServer(numbers: .seeded(1))
    let base = server.movieDatabaseURL.absoluteString
    for title in ["Fargo", "Up", "Babe"] {
      _ = try await mustC("add", title, "--member", "Ada", "--store", store, "--base-url", base)
    }
    func refresh(_ more: String...) async throws -> ChildProcess.Output {
      try await mustC(["refresh", "--style", style, "--store", store, "--base-url", base, "--json"] + more)
    }
    #expect(try await refresh().json(Refresh.self) == Refresh(result: "noData", updated: 0, failed: 0))
    server.changeNumbers()
    #expect(try await refresh().json(Refresh.self) == Refresh(result: "newData", updated: 3, failed: 0))
  }

  @Test(arguments: ["group", "operations"]) func `a refresh ends when its time budget runs out`(style: String)
    async throws
  {
    let quick = try ExampleServer(numbers: .seeded(1)).movieDatabaseURL.absoluteString
    _ = try await mustC("add", "Fargo", "--member", "Ada", "--store", store, "--base-url", quick)
    let server = try LoopbackServer()
    server.on("*", .text("never").held(at: LoopbackGate()))
    let output = try await mustC(
      "refresh", "--style", style, "--budget", "0.05", "--store", store, "--base-url", server.url.absoluteString,
      "--json")
    #expect(output.status == 1)
    #expect(try output.json(Refresh.self) == Refresh(result: "failed", updated: 0, failed: 1))
    #expect(output.errors.contains("the time budget ran out"))
  }

  @Test func `a store in a missing folder is refused in one line and nothing is created`() async throws {
    let output = try await mustC(
      "add", "Fargo", "--member", "Ada", "--store", folder.path("missing/mustc.store"),
      "--base-url", "http://127.0.0.1:9")
    #expect(output.status == 1)
    #expect(output.errors.contains("missing"))
    #expect(output.errors.split(separator: "\n").count == 1)
    #expect(!FileManager.default.fileExists(atPath: folder.path("missing")))
  }

  @Test func `a file that is not a database is refused and left unchanged`() async throws {
    let bytes = Data(String(repeating: "Dear diary, ", count: 400).utf8)
    try bytes.write(to: URL(filePath: store))
    let output = try await mustC("list", "--store", store)
    #expect(output.status == 1)
    #expect(output.errors.contains("not a database"))
    #expect(try Data(contentsOf: URL(filePath: store)) == bytes)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["mustc.store"])
  }

  @Test(arguments: [
    (["add", "Fargo"], "--member"), (["add", "--member", "Ada"], "title"), (["add", " ", "--member", "Ada"], "title"),
    (["refresh", "--style", "x"], "group or operations"), (["list", "--live"], "TMDB_API_KEY"), (["paint"], "paint"),
    (["list", "--colour"], "--colour"), (["demo", "--store", "x"], "demo has no option --store"),
    (["list", "--base-url", "ftp://example.org"], "--base-url"),
  ])
  func `a wrong MustC command line exits with code 2, what is wrong, and where to find help`(
    line: [String], named: String
  )
    async throws
  {
    let output = try await mustC(line, environment: ["TMDB_API_KEY": ""])
    #expect(output.status == 2)
    #expect(output.errors.contains(named))
    #expect(output.errors.contains(#/\nSee MustC( \w+)? --help\n$/#))
    #expect(output.errors.split(separator: "\n").count == 2)
    #expect(output.text.isEmpty)
  }
}
