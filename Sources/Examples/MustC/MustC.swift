import ExampleSupport
import Foundation

@main
enum MustC {
  static let usage = """
    MustC keeps the movies your family wants to see, with ratings that keep up.

      MustC add TITLE --member NAME   store a movie at once; its rating follows
      MustC list                      the movies, their numbers and who wants to see them
      MustC refresh                   ask for every movie's numbers again
      MustC demo                      the whole story in one run, in a temporary folder

      --base-url URL   ask this server in place of \(MovieDB.Service.live), with the key in TMDB_API_KEY;
                       without it a replica with made-up numbers runs in this process
      --store FILE     keep the movies here
      --json           print one JSON value: list [{"title","remoteID","popularity","rating","members":[]}],
                       add one of these, refresh {"result":"newData|noData|failed","updated":n,"failed":n}
    """

  static func main() async {
    await runProgram("MustC", usage: usage) {
      let arguments = try Arguments(
        CommandLine.arguments.dropFirst(), options: ["member", "base-url", "store"], flags: ["json", "help"])
      if arguments.has("help") || arguments.words.isEmpty { return print(usage) }
      switch arguments.words[0] {
      case "add": try await add(arguments)
      case "list": try await list(arguments)
      case "refresh": try await refresh(arguments)
      case "demo": try await Demo(console: Console(json: arguments.has("json"))).run()
      default: throw UsageError("there is no command “\(arguments.words[0])”")
      }
    }
  }
}
