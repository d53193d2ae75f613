import ExampleSupport
import FetchKit
import Foundation

extension MustC {
  static func add(_ arguments: Arguments) async throws {
    let title = arguments.words.dropFirst().joined(separator: " ").trimmingCharacters(in: .whitespaces)
    guard !title.isEmpty else { throw UsageError("add takes a title") }
    guard let member = arguments["member"]?.trimmingCharacters(in: .whitespaces), !member.isEmpty else {
      throw UsageError("add takes --member NAME: who wants to see it?")
    }
    let session = try await Session(arguments)
    let id = try await session.library.add(title, for: member)
    session.console.say("Stored: \(title), for \(member)")

    var shown = id
    do {
      switch try await session.library.update(id) {
      case .changed, .unchanged: break
      case .notFound: session.console.warn("The movie database knows no “\(title)” yet; refresh asks again.")
      case .sameAs(let other): shown = other
      }
    } catch let error as FetchError {
      session.console.warn("The rating is not known yet (\(error)); refresh asks again.")
    }
    let row = try await session.library.row(shown)
    if shown != id { session.console.say("It is the movie you have as “\(row.title)”.") }
    if row.rating != nil { session.console.say("Found:  \(row.title), \(row.numbers)") }
    try session.console.result(row)
  }
}
