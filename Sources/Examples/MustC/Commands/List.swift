import ExampleSupport

extension MustC {
  static let list = Command(
    "list", "", "Shows the movies, their numbers and who wants to see them",
    options: [CommandOption("member NAME", "only what this member wants to see")],
    json: #"[{"title","year","remoteID","popularity","rating","members":["NAME"]}]"#
  ) { call in
    let rows = try await Desk(call).library.movies(of: try call.text("member"))
    if rows.isEmpty { call.console.say("No movies yet. Add one: MustC add Fargo --member Ada") }
    call.console.say(TextTable(movies: rows))
    try call.console.result(rows)
  }

  static let members = Command(
    "members", "", "Shows the family and how many movies each wants to see",
    json: #"[{"name","movies":["TITLE"]}]"#
  ) { call in
    let rows = try await Desk(call).library.members()
    if rows.isEmpty { call.console.say("No members yet. Add a movie: MustC add Fargo --member Ada") }
    call.console.say(
      TextTable(
        ["Member", .whole("Movies"), "Titles"],
        rows.map { [$0.name, "\($0.movies.count)", $0.movies.joined(separator: ", ")] }))
    try call.console.result(rows)
  }

  static let remove = Command(
    "remove", "TITLE", "Removes a movie, however its title is written",
    options: [CommandOption("year YEAR", "when it came out, where there are several of that title")],
    json: #"{"title","year","remoteID","popularity","rating","members":["NAME"]}"#
  ) { call in
    let row = try await Desk(call).library.remove(call.text, year: try call.number("year", in: years))
    call.console.say("Removed: \(row.name)")
    try call.console.result(row)
  }
}
