import ExampleReplicas
import ExampleSupport

@main
enum MustC {
  static let service = WebService(
    "the movie database", liveURL: "https://api.themoviedb.org/3", keyVariable: "TMDB_API_KEY", needsKey: true,
    replicaURL: \.movieDatabaseURL)

  static func main() async {
    await Program(
      "MustC", "keeps a list of movies your family wants to see, with current ratings.", service: service,
      commands: [add, members, list, refresh, remove, watch, demo]
    ).run()
  }
}
