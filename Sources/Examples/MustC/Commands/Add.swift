import ExampleSupport
import FetchKit
import Foundation

extension MustC {
  static let add = Command(
    "add", "TITLE", "Stores a movie at once; its rating follows",
    options: [
      CommandOption("member NAME", "who wants to see it", required: true),
      CommandOption("pick N", "take the N-th movie that is found for the title in place of the best match"),
    ],
    json: #"{"title","remoteID","popularity","rating","members":["NAME"]}"#
  ) { call in
    guard let member = try call.text("member") else { return }
    let pick = try call.number("pick", in: 1...100)
    let desk = try await Desk(call, mustExist: false)
    let (library, console) = (desk.library, call.console)
    // Which movie was meant is only known when it has been found; otherwise what is typed is stored before anything is asked.
    let picked: MovieFacts? =
      if let pick { try await library.search(for: call.text).movie(pick) } else { nil }
    let title = picked?.title ?? call.text
    let id = try await library.add(title, for: member)
    console.say("Stored: \(title), for \(member)")

    var shown = id
    do {
      let outcome =
        if let picked {
          try await library.store(picked, for: id)
        } else {
          try await library.update(id) { hits in offer(hits, console) }
        }
      switch outcome {
      case .changed, .unchanged: break
      case .notFound: console.warn("The movie database knows no “\(title)” yet; refresh asks again.")
      case .sameAs(let other): shown = other
      }
    } catch let error as FetchError {
      console.warn("The rating is not known yet (\(error)); refresh asks again.")
    }
    let row = try await library.row(shown)
    if shown != id { console.say("It is the movie you have as “\(row.title)”.") }
    if row.rating != nil { console.say("Found:  \(row.title), \(row.numbers)") }
    try console.result(row)
  }

  private static func offer(_ hits: MovieHits, _ console: Console) {
    guard let best = hits.bestPlace, hits.movies.count > 1 else { return }
    console.say(TextTable(hits.movies.enumerated().map { ["\($0 + 1).", $1.title, $1.year ?? "–"] }))
    console.say("Took number \(best + 1); --pick N takes another.")
  }
}
