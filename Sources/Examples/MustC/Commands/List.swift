import ExampleSupport

extension MustC {
  static func list(_ arguments: Arguments) async throws {
    guard arguments.words.count == 1 else { throw UsageError("list takes no words") }
    let session = try await Session(arguments)
    let rows = try await session.library.movies()
    if rows.isEmpty { session.console.say("No movies yet. Add one: MustC add Fargo --member Ada") }
    for line in MovieRow.table(rows) { session.console.say(line) }
    try session.console.result(rows)
  }
}
