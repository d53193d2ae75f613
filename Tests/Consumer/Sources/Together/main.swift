import Decoding
import FetchKit
import Foundation
import Persistence

final class Movie: ManagedObject {
  @Attribute(.unique) var title = ""
  @Attribute var popularity: Double?
}

struct Answer: Decodable, Sendable {
  let title: String
  let popularity: Double
}

/// Answers without a network.
struct Replica: Transport {
  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    let body = Data(#"{"results": [{"title": "Fargo", "popularity": 21.5}]}"#.utf8)
    return TransportResponse(head: ResponseHead(status: 200), body: ResponseBody(body))
  }
}

guard let url = URL(string: "http://replica.invalid/search") else { exit(1) }
let client = FetchClient { $0.transport = Replica() }
let answers = try await client.fetch(url, .elements(of: Answer.self, at: "results"))
let container = try await PersistentContainer(at: .inMemory, schema: Schema(Movie.self))
let context = container.newContext()
try await context.persist { objects in
  for answer in answers {
    let movie = objects.insert(Movie.self)
    movie.title = answer.title
    movie.popularity = answer.popularity
  }
}
print(try await context.perform { try $0.fetch(Movie.self, where: { $0.popularity > 20 }).map(\.title) })
