import Decoding
import FetchKit
import Foundation

/// The program of the article with this name, verbatim except for the enclosing enum.
enum RefreshOnLaunch {
  struct Rating: Codable, Sendable {
    var average: Double
    var version: ResourceVersion
  }

  /// The known ratings, stored in a file. They are shown immediately and
  /// refreshed afterward.
  actor Ratings {
    private let file: URL
    private var ratings: [Int64: Rating]

    init(_ file: URL) throws {
      self.file = file
      let isThere = FileManager.default.fileExists(atPath: file.path)
      ratings = [:]
      if isThere {
        ratings = try JSONDecoder().decode(
          [Int64: Rating].self, from: Data(contentsOf: file))
      }
    }

    subscript(id: Int64) -> Rating? { ratings[id] }

    func store(_ rating: Rating, for id: Int64) throws {
      ratings[id] = rating
      try JSONEncoder().encode(ratings).write(to: file, options: .atomic)
    }
  }

  struct Launch: Sendable {
    var client: FetchClient
    var server: URL
    var ratings: Ratings
    var movies: [Int64]

    func refresh() async -> RefreshReport<Int64> {
      let refresh = Refresh { $0.budget = .seconds(25) }
      return await refresh.run(movies) { id in
        let known = await ratings[id]
        let answer = try await client.fetch(
          server.appending(path: "movie/\(id)"),
          .json(Double.self, at: "vote_average"),
          ifChangedFrom: known?.version)
        switch answer {
        case .changed(let average, let version):
          try await ratings.store(
            Rating(average: average, version: version), for: id)
          return .changed
        case .unchanged:
          return .unchanged
        }
      }
    }
  }

  struct Program {
    static func main() async throws {
      let launch = Launch(
        client: FetchClient { $0.redactedQueryItems = ["api_key"] },
        server: URL(string: "https://api.example.com/3")!,
        ratings: try Ratings(URL(filePath: "ratings.json")),
        movies: [275, 550, 680])

      let periodic = PeriodicRefresh(every: .seconds(20 * 60)) {
        let report = await launch.refresh()
        for failure in report.failures {
          print("movie \(failure.item): \(failure.error)")
        }
        return report.result
      }
      periodic.start()
      print(await periodic.refreshNow())
    }
  }
}
