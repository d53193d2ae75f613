import ExampleReplicas
import ExampleSupport
import Foundation

@main
enum ExampleServerProgram {
  static func main() async {
    await Program(
      "ExampleServer", "serves replicas of three web APIs, with made-up data, on 127.0.0.1.", commands: [serve]
    ).run()
  }

  private static let serve = Command(
    "serve", "", "Serves until interrupted",
    options: [
      CommandOption("port N", "the port to listen on; a free port by default"),
      CommandOption("seed N", "serve constant data for this seed; otherwise the data changes over time"),
      CommandOption("latency MS", "delay each response by this many milliseconds"),
      CommandOption("rate BYTES", "limit responses to this many bytes per second"),
      CommandOption("fail-every N", "answer every N-th request with 503"),
      CommandOption("fail-after N", "answer all requests after the N-th with 503"),
      CommandOption("break-every N", "reset the connection of every N-th request in the middle of the response"),
    ],
    json: #"{"movies","photos","books"}: the base URL of each API"#
  ) { call in
    var faults = InjectedFaults()
    if let milliseconds = try call.number("latency", in: 0...600_000) { faults.latency = .milliseconds(milliseconds) }
    faults.bytesPerSecond = try call.number("rate", in: 1...1_000_000_000)
    faults.failEvery = try call.number("fail-every", in: 1...1_000_000)
    faults.failAfter = try call.number("fail-after", in: 0...1_000_000)
    faults.breakEvery = try call.number("break-every", in: 1...1_000_000)
    let server = try ExampleServer(
      port: UInt16(try call.number("port", in: 0...65535) ?? 0),
      numbers: try call.number("seed", in: 0...1_000_000).map { .seeded($0) } ?? .drifting, faults: faults)
    let bases = Bases(movies: server.movieDatabaseURL, photos: server.photosURL, books: server.booksURL)
    call.console.say(
      TextTable(
        [],
        [
          ["movies", bases.movies.absoluteString, "for MustC --base-url"],
          ["photos", bases.photos.absoluteString, "for Flickr --base-url"],
          ["books", bases.books.absoluteString, "for BookLab --base-url"],
        ]))
    try call.console.result(bases)
    while true { try await Task.sleep(for: .seconds(3600)) }
  }

  private struct Bases: Encodable {
    let movies, photos, books: URL
  }
}
