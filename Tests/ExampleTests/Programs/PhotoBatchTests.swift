import Foundation
import Persistence
import PersistenceTesting
import Testing

@testable import ExampleReplicas
@testable import Flickr

@Suite struct PhotoBatchTests {
  private func photos(at tick: Int) throws -> [PhotoFacts] {
    let query = [
      "method": "flickr.photos.search", "license": "1", "format": "json", "nojsoncallback": "1", "api_key": "k",
      "per_page": "250", "extras": "geo,date_upload,owner_name",
    ]
    return try RecentAnswer(PhotoService().answer(query: query, tick: tick).body).photos
  }

  @Test(arguments: [1, 10, 250]) func `a batch of any size is loaded with four queries`(size: Int) async throws {
    let container = try await PersistentContainer(
      at: .inMemory, schema: Schema(Photo.self, Photographer.self, Place.self, Region.self))
    for tick in [29_000_000, 29_000_020] {
      let batch = PhotoBatch(photos: Array(try photos(at: tick).prefix(size)))
      let outcome = try await container.newContext().persist { objects in
        try objects.expectQueries(atMost: 4) { try batch.store(in: objects) }
      }
      #expect(outcome.new > 0)
    }
  }
}
