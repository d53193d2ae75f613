import Persistence
import SyncKit

final class Errand: ManagedObject {
  @Attribute(.unique) var number: Int64?
  @Attribute var title = ""
}

actor Server {
  private(set) var titles: [Int64: String] = [:]

  func set(_ number: Int64?, _ title: String) -> Int64 {
    let number = number ?? Int64(titles.count + 1)
    titles[number] = title
    return number
  }
}

/// All of it belongs to the main actor unless it says otherwise, and the remote is called from anywhere.
nonisolated struct ErrandRemote: SyncRemote {
  let server: Server
  let classes = [SyncedClass(Errand.self, key: \.number, created: .idempotencyKey)]
  let scopes = ["errands"]

  func pull(_ scope: String, after position: String?) async throws -> SyncPage {
    let objects = await server.titles.map { number, title in
      RemoteObject(Errand.self, key: SyncKey(number)) { $0.set(\.title, to: title) }
    }
    return SyncPage(objects, covers: [.all(Errand.self)])
  }

  func push(_ batch: SyncBatch, _ attempt: SyncBatch.Attempt) async throws {
    for change in batch.changes {
      guard let errand = change.of(Errand.self) else { continue }
      let number = await server.set(change.key?.integer, errand[\.title] ?? "")
      try await attempt.record(.accepted(key: SyncKey(number)), for: change)
    }
  }
}

final class Screen {
  private(set) var waiting = 0

  func watch(_ engine: SyncEngine) async {
    for await status in engine.statuses {
      waiting = status.waiting + status.sending
      if waiting == 0 { return }
    }
  }
}

let remote = ErrandRemote(server: Server())
let container = try await PersistentContainer(
  at: .inMemory, schema: Schema(Errand.self).synchronizing(remote.classes))
let engine = try SyncEngine(container, with: remote)
try await engine.start()
let errand = try await container.newContext().persist { objects in
  let errand = objects.insert(Errand.self)
  errand.title = "Buy milk"
  return errand.id
}
let status = try await engine.synchronize()
let screen = Screen()
await screen.watch(engine)
let object = try await engine.status(of: SyncedObject(errand))
let titles = await remote.server.titles
print(status.isSynchronized, screen.waiting, object.key?.description ?? "no key", titles)
await engine.stop()
