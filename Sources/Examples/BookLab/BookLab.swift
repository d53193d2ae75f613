import ExampleReplicas
import ExampleSupport

@main
enum BookLab {
  static let service = WebService(
    "Google Books", liveURL: GoogleBooks.liveURL, keyVariable: "GOOGLE_BOOKS_API_KEY", needsKey: false,
    replicaURL: \.booksURL)

  static func main() async {
    await Program(
      "BookLab", "finds books and keeps the ones you want.", service: service,
      commands: [search, add, list, show, remove, thumbnails, export, type, demo]
    ).run()
  }
}
