import ExampleSupport

extension MustC {
  static let list = Command(
    "list", "", "Lists the movies, their ratings and who wants to see them",
    options: [CommandOption("member NAME", "only movies that this member wants to see")],
    json: #"[{"title","year","remoteID","popularity","rating","members":["NAME"]}]"#
  ) { call in
    let rows = try await Desk(call).library.movies(of: try call.text("member"))
    if rows.isEmpty { call.console.say("No movies yet. To add one, run: MustC add Fargo --member Ada") }
    call.console.say(TextTable(movies: rows))
    try call.console.result(rows)
  }

  static let members = Command(
    "members", "", "Lists the family members and the movies they want to see",
    json: #"[{"name","movies":["TITLE"]}]"#
  ) { call in
    let rows = try await Desk(call).library.members()
    if rows.isEmpty { call.console.say("No members yet. To add a movie, run: MustC add Fargo --member Ada") }
    call.console.say(
      TextTable(
        ["Member", .whole("Movies"), "Titles"],
        rows.map { [$0.name, "\($0.movies.count)", $0.movies.joined(separator: ", ")] }))
    try call.console.result(rows)
  }

  static let remove = Command(
    "remove", "TITLE", "Removes a movie by its title, ignoring case and accents",
    options: [CommandOption("year YEAR", "the release year, if several movies have this title")],
    json: #"{"title","year","remoteID","popularity","rating","members":["NAME"]}"#
  ) { call in
    let row = try await Desk(call).library.remove(call.text, year: try call.number("year", in: years))
    call.console.say("Removed: \(row.name)")
    try call.console.result(row)
  }
}
