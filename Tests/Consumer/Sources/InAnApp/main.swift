import Decoding
import FetchKit
import Foundation
import Persistence
// In an app: import Combine, import Observation, import SwiftUI.
import StandIns

final class Reader: ManagedObject {
  @Attribute(.unique) var name = ""
  @ToMany(inverse: \Story.reader) var stories: RelatedObjects<Story>
}

final class Story: ManagedObject {
  @Attribute(.indexed) var title = ""
  @Attribute var score: Int?
  @ToOne var reader: Reader?
}

struct StoryRow: Decodable, Sendable {
  let title: String
  @Default<DefaultValue.Zero> var score: Int
}

/// Shows stories as an app's screen does, and names everything unqualified.
@MainActor final class StoryScreen: FetchedResultsControllerDelegate {
  let controller: FetchedResultsController<Story>
  private(set) var titles: [String] = []
  private(set) var failure: PersistenceError?

  init(_ context: ViewContext) async throws {
    let descriptor: FetchDescriptor<Story> = FetchDescriptor(where: { $0.score > 1 }, sort: [.ascending(\.title)])
    controller = try await context.results(descriptor)
    controller.delegates.add(self)
    show()
  }

  func show() { titles = controller.snapshot.indices.compactMap { try? controller.object(at: $0)?.title } }

  func results(
    _ results: FetchedResultsController<Story>, didChange id: ObjectID<Story>, at indexPath: ResultsIndexPath?,
    by change: FetchedResultsChange, newIndexPath: ResultsIndexPath?
  ) {}

  func resultsDidChange(_ results: FetchedResultsController<Story>) { show() }

  func results(_ results: FetchedResultsController<Story>, didFail failure: PersistenceError) { self.failure = failure }
}

func request(for url: URL) -> HTTPRequest {
  let body: RequestBody = .none
  var options = RequestOptions()
  options.timeouts = Timeouts()
  return HTTPRequest(.get, url, headers: HTTPHeaders(), body: body, options: options)
}

func reason(_ error: any Error) -> String {
  switch error {
  case let error as LocatedDecodingError: "\(error.path)"
  case let error as FetchError: error.isRetryable ? "later" : "never"
  case let error as DownloadError: error.keepsPartialFile ? "paused" : "gone"
  default: "unknown"
  }
}

let container = try await PersistentContainer(at: .inMemory, schema: Schema(Reader.self, Story.self))
let rows = try JSONBytesDecoder().decode(
  [StoryRow].self, from: Data(#"[{"title": "B", "score": 2}, {"title": "A"}]"#.utf8))
let live: LiveResults<Story> = try await container.results(FetchDescriptor(Story.self))
try await container.newContext().persist { objects in
  let reader = objects.insert(Reader.self)
  for row in rows {
    let story = objects.insert(Story.self)
    (story.title, story.score) = (row.title, row.score)
    reader.stories.insert(story)
  }
}
for await update: ResultsUpdate<Story> in live.updates where update.snapshot.count == 2 { break }
let screen = try await StoryScreen(container.viewContext)
guard let url = URL(string: "https://example.org") else { exit(1) }
print(screen.titles, request(for: url).method, reason(DownloadError.timeout))
