package import Persistence

/// Where the store has the synchronized classes: which column each attribute of the model belongs to.
package struct SyncedTables: Sendable {
  package struct Table: Sendable {
    let name: String
    /// The class's table and its base table, quoted.
    let table: String
    let baseTable: String
    let key: Column
    package let keyStorage: StorageClass
    /// Whether keys are texts. Those that the app makes are bytes otherwise.
    var hasTextKeys: Bool { keyStorage == .text }
    /// In the order of the model's attributes.
    package let columns: [Column]
    /// The name of the property that a key path leads to.
    let property: @Sendable (AnyKeyPath) -> String?

    package func isKey(_ path: AnyKeyPath) -> Bool { property(path) == key.property }

    /// The number of the attribute that a key path leads to. Nil for the key, and if it is not synchronized.
    package func index(of path: AnyKeyPath) -> Int? {
      property(path).flatMap { name in columns.firstIndex { $0.property == name } }
    }
  }

  package struct Column: Sendable {
    package let property: String
    /// The column's name, which is also the name of the model's attribute: a migration renames it.
    let name: String
    let quoted: String
    /// The class that a reference leads to, or the members of a list are of.
    let target: Int?
    /// Whether a stored value is of the attribute's type.
    let isReadable: @Sendable (StoredValue) -> Bool
    var list: TrackedClassDescription.List?
  }

  package let model: SyncModel
  package let tables: [Table]
  package let types: [ManagedObject.Type]

  /// - Parameter classes: Those that the schema was made with, see ``Persistence/Schema/synchronizing(_:)``.
  package init(_ schema: Schema, _ classes: [SyncedClass]) throws(SyncError) {
    var (tables, model): ([Table], [SyncClass]) = ([], [])
    var joins: Set<String> = []
    let numbers = Dictionary(classes.enumerated().map { ($1.name, $0) }) { first, _ in first }
    for synced in classes {
      guard let tracked = schema.trackedClasses.first(where: { $0.name == synced.name }) else {
        throw SyncError.invalidClass(type: synced.name, reason: "the container's schema does not synchronize it")
      }
      let property = schema.property(at: synced.key, of: synced.type)
      guard let key = tracked.attributes.first(where: { $0.property == property }), !key.isReference, !key.isIgnored
      else {
        throw SyncError.invalidClass(type: synced.name, reason: "its key is not an attribute that is synchronized")
      }
      if ![.integer, .text, .blob].contains(key.storageClass) || !synced.hasSimpleKey {
        throw SyncError.invalidClass(type: synced.name, reason: "its key is neither an integer, a text nor a UUID")
      }
      if !key.isUnique { throw SyncError.invalidClass(type: synced.name, reason: "its key is not unique") }
      if synced.created.makesKeyHere, key.storageClass != .text, key.storageClass != .blob {
        throw SyncError.invalidClass(type: synced.name, reason: "keys that the app makes are of type UUID or String")
      }
      let attributes = try tracked.attributes.filter { !$0.isIgnored && $0.property != property }.map {
        (attribute) throws(SyncError) in
        if let target = attribute.target, numbers[target] == nil {
          let text = "\(attribute.property) leads to \(target), which is not synchronized: make it local"
          throw SyncError.invalidClass(type: synced.name, reason: text)
        }
        return (attribute, attribute.target.flatMap { numbers[$0] })
      }
      let lists = try tracked.lists.map { (list) throws(SyncError) in
        guard let target = numbers[list.target] else {
          let text = "\(list.property) leads to \(list.target), which is not synchronized"
          throw SyncError.invalidClass(type: synced.name, reason: text)
        }
        if joins.insert(list.table).inserted { return (list, target) }
        let text = "\(list.property) is listed by \(list.target) as well: one side is enough"
        throw SyncError.invalidClass(type: synced.name, reason: text)
      }
      let unifying = synced.unifying.map { path in
        let property = schema.property(at: path, of: synced.type)
        return attributes.firstIndex { $0.0.property == property && $0.0.isUnique }
      }
      if case .some(nil) = unifying {
        let text = "what makes objects the same is not a unique attribute that is synchronized"
        throw SyncError.invalidClass(type: synced.name, reason: text)
      }
      tables.append(
        Table(
          name: tracked.name, table: tracked.table, baseTable: tracked.baseTable,
          key: Column(
            property: key.property, name: key.column, quoted: key.quoted, target: nil, isReadable: key.isReadable),
          keyStorage: key.storageClass,
          columns: attributes.map {
            Column(
              property: $0.property, name: $0.column, quoted: $0.quoted, target: $1, isReadable: $0.isReadable)
          }
            + lists.map {
              Column(
                property: $0.property, name: $0.property, quoted: $0.quoted, target: $1, isReadable: { _ in true },
                list: $0)
            }, property: { [type = synced.type] in schema.property(at: $0, of: type) }))
      model.append(
        SyncClass(
          synced.name,
          attributes.map { SyncClass.Attribute($0.column, target: $1, isUnique: $0.isUnique && !$0.isReference) }
            + lists.map { SyncClass.Attribute($0.property, target: $1, $0.isOrdered ? .list : .set) },
          settling: synced.created, unifying: unifying ?? nil))
    }
    self.tables = tables
    types = classes.map(\.type)
    self.model = SyncModel(model)
  }
}
