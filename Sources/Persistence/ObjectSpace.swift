/// What a context's closures work with: its objects, fetched, inserted, changed and deleted here.
///
/// ```swift
/// try await context.persist { objects in
///   let movie = objects.insert(Movie.self)
///   movie.title = "Fargo"
/// }
/// ```
///
/// A space belongs to one isolation and cannot leave it, nor can its objects: the compiler sees to that. A helper that
/// takes a space serves every kind of context.
public final class ObjectSpace {
  let schema: Schema
  let store: Store
  let connection: Connection
  // Both are freed after the tables are gone, which alone have the pointers besides.
  let isolation: UnsafeMutablePointer<Isolation>
  let arena: UnsafeMutablePointer<TextArena>
  private(set) var tables: ContiguousArray<ObjectTable> = []
  private var tablesByType: [ObjectIdentifier: ObjectTable] = [:]
  @exclusivity(unchecked) private var recentTable: ObjectTable?
  // Modified in tight loops, in which nothing calls back into user code.
  @exclusivity(unchecked) var unit = Unit()
  @exclusivity(unchecked) var links = PendingLinks()
  @exclusivity(unchecked) var loaded = LoadedRelationships()
  @exclusivity(unchecked) var faults = FaultCounter()
  @exclusivity(unchecked) var together = FetchedTogether()
  /// Deletions of this unit that a delete rule may forbid.
  var denials: [PendingDenial] = []
  /// Edits of deleted objects since the last rollback: as long as there are any, nothing is saved.
  var refusedEdits: ContiguousArray<AttributeConflict> = []
  /// That an object of this space was used outside its context, where no closure was running that could throw it.
  let strayFailure = Lock<PersistenceError?>(nil)
  @exclusivity(unchecked) var plans: FetchPlans
  /// Through which the context hears of commits that are not its own.
  var feed: CommitRelay?
  /// What a save does about attributes that somebody else has changed too.
  var mergePolicy = MergePolicy.report
  let history: HistoryLog
  /// Commits that can be undone.
  var undoHistory = UndoHistory()

  init(_ store: Store, isMain: Bool = false) throws(PersistenceError) {
    self.store = store
    schema = store.schema
    connection = try store.connect()
    history = HistoryLog(connection, schema)
    arena = .allocate(capacity: 1)
    arena.initialize(to: TextArena())
    isolation = .allocate(capacity: 1)
    isolation.initialize(to: Isolation(isMain: isMain))
    plans = FetchPlans(capacity: store.configuration.statementCacheCapacity)
    for entity in schema.entities {
      let table = ObjectTable(entity, in: self)
      tables.append(table)
      tablesByType[ObjectIdentifier(entity.type)] = table
    }
    for table in tables { table.linkToOnes() }
  }

  deinit {
    if let feed { store.commits.remove(feed) }
    store.takeBack(tables.compactMap { table in table.ids.drain().map { (table.entity.index, $0) } })
    loaded = LoadedRelationships()
    recentTable = nil
    tables = []
    tablesByType = [:]
    arena.deinitialize(count: 1)
    arena.deallocate()
    isolation.deallocate()
  }

  @inline(__always) func table(of type: ManagedObject.Type) throws(PersistenceError) -> ObjectTable {
    // Loops insert or look up one class again and again: that one costs a comparison and no hashing.
    if let recentTable, recentTable.entity.type == type { return recentTable }
    guard let table = tablesByType[ObjectIdentifier(type)] else { throw .notInSchema(type: "\(type)") }
    recentTable = table
    return table
  }

  func table(of entity: Entity) -> ObjectTable { tables[entity.index] }

  /// Makes an object of a class, to be stored by the `persist` around it. Its id is permanent from here on.
  ///
  /// It cannot throw. If the class is not in the schema, or the store fails while ids are reserved, the object belongs
  /// to no context, and the error is thrown by the `persist` or `perform` around the call.
  public func insert<Object: ManagedObject>(_ type: Object.Type) -> Object {
    do {
      // The table makes instances of exactly this class.
      return unsafeDowncast(try make(type), to: Object.self)
    } catch {
      fail(error)
      return Object()
    }
  }

  private func make(_ type: ManagedObject.Type) throws(PersistenceError) -> ManagedObject {
    guard isIsolated else { throw .wrongContext }
    let table = try table(of: type)
    var cursor = RowCursor(.fresh, table: table)
    let id = try nextID(for: table)
    cursor.id = id
    let object = cursor.whileCurrent { _ in type.init() }
    guard object._id == id, Int(cursor.column) == table.layouts.count + 1 else {
      object._tableReference = nil
      let text = "its init makes other managed objects"
      throw .invalidSchema([SchemaProblem(type: table.entity.name, property: nil, text: text)])
    }
    table.map.insert(object)
    table.changes.inserted.append(object)
    object.didInsert()
    return object
  }

  /// Deletes an object, to be removed from the store by the `persist` around it, and applies the delete rules of its
  /// relationships. An object that is deleted already stays so.
  ///
  /// It cannot throw. If the store fails while related objects are fetched, or if the object is of another context, the
  /// error is thrown by the `persist` or `perform` around the call.
  public func delete(_ object: ManagedObject) {
    if object.isDeleted { return }
    guard let table = object._table, table.space === self else {
      return fail(.foreignObject(type: "\(type(of: object))"))
    }
    guard isIsolated else { return fail(.wrongContext) }
    deleteCascading(object)
  }

  /// The object with this id: from memory, or from the store.
  ///
  /// - Throws: ``PersistenceError/notFound(type:id:)`` if there is none, or it was deleted.
  public func object<Object: ManagedObject>(_ id: ObjectID<Object>) throws(PersistenceError) -> Object {
    guard let object = try existingObject(id) else { throw .notFound(type: "\(Object.self)", id: id.rawValue) }
    return object
  }

  /// The object with this id, or nil if there is none, or it was deleted.
  public func existingObject<Object: ManagedObject>(_ id: ObjectID<Object>) throws(PersistenceError) -> Object? {
    guard isIsolated else { throw .wrongContext }
    let table = try table(of: Object.self)
    // The table holds instances of exactly this class.
    if let known = table.map.object(id.rawValue) { return unsafeDowncast(known, to: Object.self) }
    return try table.fetch(id.rawValue).map { unsafeDowncast($0, to: Object.self) }
  }
}

@available(*, unavailable, message: "a space lives in its context")
extension ObjectSpace: Sendable {}
