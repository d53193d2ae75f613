public import Persistence
public import SyncKit

/// What the API has, and what its other clients do.
extension MemoryAPI {
  /// The objects of a class, by their keys.
  public func objects<Object: ManagedObject>(_ type: Object.Type) throws(SyncError) -> [MemoryObject<Object>] {
    let (entity, table) = try translation.place(of: type)
    return server.names.filter { $0.entity == entity }.compactMap { object($0, table) }
  }

  /// The object with a key, if there is one.
  public func object<Object: ManagedObject>(
    _ type: Object.Type, _ key: SyncKey
  ) throws(SyncError) -> MemoryObject<Object>? {
    object(try translation.name(RemoteKey(type, key)), try translation.place(of: type).table)
  }

  private func object<Object: ManagedObject>(
    _ name: RemoteName, _ table: SyncedTables.Table
  ) -> MemoryObject<Object>? {
    server.remoteRow(name).map {
      MemoryObject(key: name.key, version: $0.version, fields: $0.fields, table: table)
    }
  }

  /// Inserts an object as another client of the API would: it is neither rejected nor normalized. One with the same key
  /// is replaced.
  ///
  /// - Parameters:
  ///   - type: A class of ``classes``.
  ///   - key: What the object is called, or nil if the API says so.
  ///   - set: Sets attributes and relationships. Those that are not set, no page contains.
  /// - Returns: The key.
  /// - Throws: `SyncError.invalidAnswer`.
  @discardableResult public func insert<Object: ManagedObject>(
    _ type: Object.Type, key: SyncKey? = nil, _ set: (inout RemoteValues<Object>) -> Void
  ) throws(SyncError) -> SyncKey {
    let entity = try translation.place(of: type).entity
    let key = key ?? server.takeKey(in: entity)
    let row = try translation.row(RemoteObject(type, key: key, set))
    write { $0.write(row.name, row.fields) }
    return key
  }

  /// Changes an object as another client of the API would: what it sets is neither rejected nor normalized.
  ///
  /// - Returns: Whether the API has the object.
  /// - Throws: `SyncError.invalidAnswer`.
  @discardableResult public func update<Object: ManagedObject>(
    _ type: Object.Type, _ key: SyncKey, _ set: (inout RemoteValues<Object>) -> Void
  ) throws(SyncError) -> Bool {
    let row = try translation.row(RemoteObject(type, key: key, set))
    return write { server in
      server.change(row.name) { $0.take(row.fields) }
      return server.rows[row.name] != nil
    }
  }

  /// Deletes an object as another client of the API would. What refers to it loses the reference.
  ///
  /// - Returns: Whether the API had the object.
  /// - Throws: `SyncError.invalidAnswer`.
  @discardableResult public func delete(_ type: ManagedObject.Type, _ key: SyncKey) throws(SyncError) -> Bool {
    let name = try translation.name(RemoteKey(type, key))
    return write { server in
      defer { server.delete(name) }
      return server.rows[name] != nil
    }
  }

  /// Deletes an object for good: changes of it are answered as with 410.
  ///
  /// - Throws: `SyncError.invalidAnswer`.
  public func erase(_ type: ManagedObject.Type, _ key: SyncKey) throws(SyncError) {
    let name = try translation.name(RemoteKey(type, key))
    write { $0.erase(name) }
  }

  func write<Result>(_ change: (inout MemoryServer) throws -> Result) rethrows -> Result {
    // Keeping what was before costs a copy of everything.
    let before = lag > 0 || !normalizing.isEmpty ? server : nil
    do {
      let result = try change(&server)
      // What changes nothing is no change that a read may not see.
      if lag > 0, let before, server.version != before.version { past = (past + [before]).suffix(lag) }
      return result
    } catch {
      // Only a form of values throws.
      if let before { server = before }
      throw error
    }
  }

  /// What reads see.
  var visible: MemoryServer { past.first ?? server }
}
