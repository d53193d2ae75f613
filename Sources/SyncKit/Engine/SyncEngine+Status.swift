internal import Persistence

extension SyncEngine {
  /// What waits, and why. The cost grows with the number of objects that wait.
  ///
  /// - Throws: An error of the store.
  public func status() async throws -> SyncStatus {
    try await driver.status()
  }

  /// The status at once, and whenever something may be different while the engine is running. States that follow each
  /// other quickly are left out. Ends when the store is closed.
  public var statuses: AsyncStream<SyncStatus> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let task = Task { [weak self] in
        guard let notifications = await self?.driver.notifications() else { return continuation.finish() }
        for await _ in notifications {
          do {
            guard let status = try await self?.status() else { break }
            continuation.yield(status)
          } catch PersistenceError.closed {
            break
          } catch {
            // The store is suspended or busy. A later event comes.
          }
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  /// What becomes of the changes of an object.
  ///
  /// - Throws: ``SyncError/invalidClass(type:reason:)`` if the class is not synchronized, or an error of the store.
  public func status(of object: SyncedObject) async throws -> SyncObjectStatus {
    let (row, tables) = (try object.row(in: tables), tables)
    return try await driver.read { machine, rows in
      guard let found = try rows.row(row) else {
        return SyncObjectStatus(state: .synchronized, since: nil, key: nil, isOwed: false)
      }
      let state: SyncObjectStatus.State
      if found.sent != nil {
        state = .sending
      } else if case .rejected(let reason, _) = found.hold {
        state = .rejected(reason)
      } else if case .unconfirmed = found.hold {
        state = .unconfirmed
      } else if found.isChanged {
        state = .waiting(for: try machine.blocking(row, rows).map { SyncedObject($0, tables) })
      } else {
        state = .synchronized
      }
      let since = state == .synchronized ? nil : try rows.since(row)
      return SyncObjectStatus(state: state, since: since, key: found.key, isOwed: found.isOwed)
    }
  }
}
