import ExampleSupport
import FetchKit
import Foundation

extension MustC {
  static let add = Command(
    "add", "TITLE", "Adds a movie immediately; its rating is fetched afterward",
    options: [
      CommandOption("member NAME", "the family member who wants to see the movie", required: true),
      CommandOption("year YEAR", "the release year, if several movies have this title"),
      CommandOption("pick N", "use the N-th movie found for the title instead of the best match"),
    ],
    json: #"{"title","year","remoteID","popularity","rating","members":["NAME"]}"#, asksServer: true
  ) { call in
    guard let member = try call.text("member") else { return }
    let (pick, year) = (try call.number("pick", in: 1...100), try call.number("year", in: years))
    let desk = try await Desk(call, mustExist: false)
    let (library, console) = (desk.library, desk.console)
    // With --pick, the movie is known only after a search. Otherwise the movie is stored as typed before the first
    // request.
    let picked: MovieFacts? =
      if let pick { try await library.search(for: call.text, year: year).movie(pick) } else { nil }
    let id =
      if let picked {
        try await library.add(picked, for: member)
      } else {
        try await library.add(call.text, year: year, for: member)
      }
    let name = try await library.row(id).name
    console.say("Stored: \(name), for \(member)")

    var shown = id
    var failure: (any Error)?
    do {
      let outcome =
        if let picked {
          try await library.store(picked, for: id)
        } else {
          try await library.update(id) { hits in offer(hits, console) }
        }
      switch outcome {
      case .changed, .unchanged: break
      case .notFound: console.warn("The movie database has no “\(call.text)” yet; run refresh to try again.")
      case .sameAs(let other): shown = other
      }
    } catch let error as FetchError where error.isRetryable {
      console.warn("The rating is not known yet (\(error.sentence)); run refresh to try again.")
    } catch {
      failure = error
    }
    let row = try await library.row(shown)
    if shown != id { console.say("You already have this movie as \(row.name).") }
    if row.rating != nil { console.say("Found:  \(row.name), \(row.numbers)") }
    try console.result(row)
    if let failure { throw Failure("\(name) is stored, without a rating: \(failure.sentence)") }
  }

  /// The accepted release years.
  static let years = 1870...2200

  private static func offer(_ hits: MovieHits, _ console: Console) {
    guard let best = hits.bestPlace, hits.movies.count > 1 else { return }
    console.say(
      TextTable(
        [.whole("#"), "Title", .whole("Year")],
        hits.movies.enumerated().map { ["\($0 + 1).", $1.title, $1.year.map { "\($0)" } ?? "–"] }))
    console.say("Using number \(best + 1); use --pick N to choose a different movie.")
  }
}
