public import Persistence

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
  public func status<Object: ManagedObject>(of id: ObjectID<Object>) async throws -> SyncObjectStatus {
    let (row, tables) = (try row(id), tables)
    return try await driver.read { machine, rows in
      guard let found = try rows.row(row) else {
        return SyncObjectStatus(state: .synchronized, key: nil, isOwed: false)
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
      return SyncObjectStatus(state: state, key: found.key, isOwed: found.isOwed)
    }
  }

  func row<Object: ManagedObject>(_ id: ObjectID<Object>) throws(SyncError) -> RowID {
    RowID(try entity(of: Object.self), id.rawValue)
  }

  func entity(of type: ManagedObject.Type) throws(SyncError) -> Int {
    if let entity = tables.types.firstIndex(where: { $0 == type }) { return entity }
    throw .invalidClass(type: "\(type)", reason: "it is not among the remote's classes")
  }
}
