import FetchKit
import FetchKitTesting
import Foundation
import Persistence
import PersistenceTesting

final class Movie: ManagedObject {
  @Attribute(.unique) var title = ""
}

let server = try LoopbackServer()
server.on("/", .status(503), .text("Fargo"))
let title = try await FetchClient { $0.retry = .standard }.fetch(server.url, .string)

let faults = StorageFaults()
let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).store")
let container = try await PersistentContainer(at: .file(file), schema: Schema(Movie.self)) { faults.apply(to: &$0) }
faults.fail(.diskFull, at: 1)
do {
  try await container.newContext().persist { $0.insert(Movie.self).title = title }
  exit(1)
} catch {
  print(error)
}
