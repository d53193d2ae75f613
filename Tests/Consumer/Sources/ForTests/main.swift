import FetchKit
import FetchKitTesting
import Foundation
import Persistence
import PersistenceTesting
import SyncKit
import SyncTesting

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

final class Note: ManagedObject {
  @Attribute(.unique) var number: Int64?
  @Attribute var text = ""
}

let classes = [SyncedClass(Note.self, key: \.number, created: .idempotencyKey)]
let schema = Schema(Note.self).synchronizing(classes)
let api = try MemoryAPI(schema, classes)
let notes = try await PersistentContainer(at: .inMemory, schema: schema)
let engine = try SyncEngine(notes, with: api)
try await engine.start()
await api.fail(.push, with: .answerLost)
try await notes.newContext().persist { $0.insert(Note.self).text = "synchronized" }
for _ in 0..<2 { try await engine.synchronize() }
for note in try await api.objects(Note.self) { print(note[\.text] ?? "") }
