/// The interface through which a context's closures fetch, insert, change and delete objects.
///
/// ```swift
/// try await context.persist { objects in
///   let movie = objects.insert(Movie.self)
///   movie.title = "Fargo"
/// }
/// ```
///
/// An object space belongs to a single isolation domain, and the compiler prevents the space and its objects from
/// leaving this domain. A function that accepts an `ObjectSpace` as a parameter can be used with any kind of context.
public final class ObjectSpace {
  let schema: Schema
  let store: StoreAccess
  /// Replaced after a suspension.
  @exclusivity(unchecked) private(set) var connection: Connection
  // Both are freed after the registries, which hold the only other pointers to them.
  let isolation: UnsafeMutablePointer<Isolation>
  let arena: UnsafeMutablePointer<TextArena>
  private(set) var registries: ContiguousArray<EntityRegistry> = []
  private var registriesByType: [ObjectIdentifier: EntityRegistry] = [:]
  @exclusivity(unchecked) private var recentRegistry: EntityRegistry?
  // Modified in tight loops that never call back into user code.
  @exclusivity(unchecked) var unit = UnitOfWork()
  @exclusivity(unchecked) var links = PendingLinks()
  @exclusivity(unchecked) var loaded = LoadedRelationships()
  @exclusivity(unchecked) var answers = MemberAnswers()
  @exclusivity(unchecked) var faults = FaultCounter()
  @exclusivity(unchecked) var together = FetchedTogether()
  /// Deletions in this unit of work that a delete rule may forbid.
  var denials: [PendingDenial] = []
  /// Edits since the last rollback that could not be made. While there are any, nothing is saved.
  var refusedEdits: ContiguousArray<RefusedEdit> = []
  /// Set when an object of this space is used outside its context while no closure is running that could throw the
  /// error.
  let strayFailure = Lock<PersistenceError?>(nil)
  @exclusivity(unchecked) var plans: FetchPlans
  /// The pending changes in temporary tables of the connection.
  var pendingRows = PendingRows()
  /// The views that stand for tables with pending changes, and the number of closures that use each.
  var views: [String: (table: PendingTable, uses: Int)] = [:]
  /// Delivers commits of other contexts to this one.
  var listener: CommitListener?
  /// How a save handles attributes that were also changed elsewhere.
  var mergePolicy = MergePolicy.report
  /// Whether a suspension has closed the connection.
  @exclusivity(unchecked) private var isDisconnected = false
  var saveObservers: [any SaveObserver]
  /// Nil unless the schema tracks classes.
  let ties: TieRecorder?
  /// Nil unless the objects of this space are observed.
  var observed: ObservedObjects?

  init(_ store: StoreAccess, isMain: Bool = false) throws(PersistenceError) {
    self.store = store
    schema = store.schema
    connection = try store.connect()
    ties = schema.trackedClasses.isEmpty ? nil : TieRecorder(schema.trackedClasses)
    saveObservers = [HistoryRecorder(schema)]
    if let ties { saveObservers.append(ties) }
    arena = .allocate(capacity: 1)
    arena.initialize(to: TextArena())
    isolation = .allocate(capacity: 1)
    isolation.initialize(to: Isolation(isMain: isMain))
    plans = FetchPlans(capacity: store.configuration.statementCacheCapacity)
    for entity in schema.entities {
      let registry = EntityRegistry(entity, in: self)
      registries.append(registry)
      registriesByType[ObjectIdentifier(entity.type)] = registry
    }
    for registry in registries { registry.linkToOnes() }
  }

  deinit {
    if let listener { store.commits.remove(listener) }
    store.takeBack(registries.compactMap { registry in registry.ids.drain().map { (registry.entity.index, $0) } })
    loaded = LoadedRelationships()
    recentRegistry = nil
    registries = []
    registriesByType = [:]
    arena.deinitialize(count: 1)
    arena.deallocate()
    isolation.deallocate()
  }

  /// Closes the connection because the store is being suspended. Objects and pending changes stay.
  func disconnect() {
    guard connection.isOpen else { return }
    endTransaction()
    plans.removeAll()
    pendingRows = PendingRows()
    views = [:]
    connection.close()
    isDisconnected = true
  }

  /// Connects again after a suspension. Called before work that needs the store.
  @inline(__always) func reconnect() throws(PersistenceError) {
    if isDisconnected { try connectAgain() }
  }

  @inline(never) private func connectAgain() throws(PersistenceError) {
    connection = try store.connect()
    // A new connection counts the commits of others from its own beginning.
    unit.dataVersion = nil
    isDisconnected = false
  }

  @inline(__always) func registry(of type: ManagedObject.Type) throws(PersistenceError) -> EntityRegistry {
    // Loops insert or look up the same class repeatedly. This costs them one comparison and no hashing.
    if let recentRegistry, recentRegistry.entity.type == type { return recentRegistry }
    guard let registry = registriesByType[ObjectIdentifier(type)] else { throw .notInSchema(type: "\(type)") }
    recentRegistry = registry
    return registry
  }

  func registry(of entity: Entity) -> EntityRegistry { registries[entity.index] }

  /// Creates an object of the given class. The enclosing `persist` saves the object. The object has its permanent id as
  /// soon as this method returns.
  ///
  /// This method cannot throw. If the class is not in the schema, or if the store fails to reserve an id, the returned
  /// object belongs to no context, and the enclosing `persist` or `perform` throws the error.
  public func insert<Object: ManagedObject>(_ type: Object.Type) -> Object {
    do {
      // The registry makes instances of exactly this class.
      return unsafeDowncast(try make(type), to: Object.self)
    } catch {
      fail(error)
      return Object()
    }
  }

  func make(_ type: ManagedObject.Type) throws(PersistenceError) -> ManagedObject {
    guard isIsolated else { throw .wrongContext }
    let registry = try registry(of: type)
    let object = try registry.insert(nextID(for: registry), as: type)
    object.didInsert()
    return object
  }

  /// Deletes an object and applies the delete rules of its relationships. The enclosing `persist` removes the object
  /// from the store. Deleting an object that is already deleted has no effect.
  ///
  /// This method cannot throw. If the object belongs to another context, the enclosing `persist` or `perform` throws
  /// the error. If related objects cannot be fetched from the store, the enclosing `persist` throws the error. Outside
  /// `persist`, the object is then not deleted, and every save throws ``PersistenceError/unreadRelationship(_:)`` until
  /// the object is deleted or until a rollback.
  public func delete(_ object: ManagedObject) {
    if object.isDeleted { return }
    guard let registry = object._registry, registry.space === self else {
      return fail(.foreignObject(type: "\(type(of: object))"))
    }
    guard isIsolated else { return fail(.wrongContext) }
    editing { deleteCascading(object) }
  }

  /// Returns the object with the given id, from memory or from the store.
  ///
  /// - Throws: ``PersistenceError/notFound(type:id:)`` if the object does not exist or was deleted.
  public func object<Object: ManagedObject>(_ id: ObjectID<Object>) throws(PersistenceError) -> Object {
    guard let object = try existingObject(id) else { throw .notFound(type: "\(Object.self)", id: id.rawValue) }
    return object
  }

  /// Returns the object with the given id, or nil if the object does not exist or was deleted.
  public func existingObject<Object: ManagedObject>(_ id: ObjectID<Object>) throws(PersistenceError) -> Object? {
    guard isIsolated else { throw .wrongContext }
    let registry = try registry(of: Object.self)
    // The registry holds instances of exactly this class.
    if let known = registry.map.object(id.rawValue) { return unsafeDowncast(known, to: Object.self) }
    return try registry.fetch(id.rawValue).map { unsafeDowncast($0, to: Object.self) }
  }
}

@available(*, unavailable, message: "a space lives in its context")
extension ObjectSpace: Sendable {}
