import Foundation
import Persistence
import PersistenceTesting
import SyncKit
import Testing

/// A disk that fails under the engine, at every fifth of its operations.
@Suite(.timeLimit(.minutes(5))) struct DiskFaultTests {
  @Test(arguments: StorageFaults.Kind.allCases, [false, true])
  func `whenever the disk fails, nothing is lost and nothing is sent twice`(
    _ kind: StorageFaults.Kind, persistently: Bool
  ) async throws {
    var operation = 1
    while try await hasFailed(kind, at: operation, persistently) { operation += 5 }
    #expect(operation > 20, "what is tested writes more often than that")
  }

  /// - Returns: Whether the operation was reached.
  private func hasFailed(_ kind: StorageFaults.Kind, at operation: Int, _ persistently: Bool) async throws -> Bool {
    let folder = FileManager.default.temporaryDirectory.appending(path: "larder-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (faults, api) = (StorageFaults(), TicketAPI())
    var app = try await Device(folder, faults, TicketRemote(api: api))
    try await app.insert("first")
    try await app.engine.start()
    try await app.engine.synchronize()
    faults.fail(kind, at: operation, persistently: persistently)
    var (saved, enqueued): ([String], [String]) = (["first"], [])
    for title in ["A", "B"] {
      do {
        try await app.insert(title)
        saved.append(title)
        try await app.engine.enqueue(try SyncCommand("send", encoding: title))
        enqueued.append("send \(title)")
      } catch is PersistenceError {
        // The app knows.
      }
      _ = try? await app.engine.synchronize()
    }
    let hasFired = faults.hasFired
    faults.stop()
    await app.close()
    app = try await Device(folder, faults, TicketRemote(api: api))
    try await app.engine.start()
    try await app.engine.synchronize()
    let status = try await app.engine.synchronize()
    let (here, there) = (try await app.titles(), try await api.list().map(\.title).sorted())
    let place = "\(kind) at \(operation)"
    #expect(status.isSynchronized && status.error == nil, "\(place)")
    #expect(here == there, "\(place)")
    // A commit may be on the disk although the app was not told so.
    #expect(Set(saved).isSubset(of: here) && Set(here).count == here.count, "\(place)")
    let performed = await api.performed
    #expect(Set(enqueued).isSubset(of: performed) && Set(performed).count == performed.count, "\(place)")
    await app.close()
    return hasFired
  }
}

private struct Device {
  let container: PersistentContainer
  let engine: SyncEngine

  init(_ folder: URL, _ faults: StorageFaults, _ remote: TicketRemote) async throws {
    let schema = Schema(Milestone.self, Ticket.self, Label.self).synchronizing(remote.classes)
    container = try await PersistentContainer(at: .file(folder.appending(path: "tickets.store")), schema: schema) {
      faults.apply(to: &$0)
    }
    engine = try TicketApp.engine(container, remote)
  }

  func insert(_ title: String) async throws {
    try await container.newContext().persist { $0.insert(Ticket.self).title = title }
  }

  func titles() async throws -> [String] {
    try await container.newContext().perform { try $0.fetch(Ticket.self).map(\.title).sorted() }
  }

  func close() async {
    await engine.stop()
    await container.close()
  }
}
