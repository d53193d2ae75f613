internal import Foundation
public import Persistence
public import SyncKit

/// An API in memory, for the tests of an app: it can do what a test says, and fails when a test says so.
///
/// ```swift
/// let schema = Schema(Note.self).synchronizing(classes)
/// let api = try MemoryAPI(schema, classes)
/// await api.insert(Note.self, key: 1) { $0.set(\.text, to: "Call Ann") }
/// let container = try await PersistentContainer(at: .inMemory, schema: schema)
/// let engine = try SyncEngine(container, with: api)
/// try await engine.start()
/// await api.fail(.push, with: .answerLost)
/// ```
///
/// Several engines can use one API, as several devices do.
///
/// ## Topics
///
/// ### Making an API
/// - ``init(_:_:capabilities:listing:answersWithObjects:policy:)``
/// - ``Listing``
/// - ``reject(_:because:)``
/// - ``normalize(_:_:)``
///
/// ### Its objects
/// - ``objects(_:)``
/// - ``object(_:_:)``
/// - ``insert(_:key:_:)``
/// - ``update(_:_:_:)``
/// - ``delete(_:_:)``
/// - ``erase(_:_:)``
///
/// ### Failures
/// - ``fail(_:with:times:)``
/// - ``heal()``
/// - ``lag(by:)``
///
/// ### What it received
/// - ``requests``
/// - ``commands``
/// - ``received(_:times:)``
public actor MemoryAPI {
  /// What the pages of the API's list contain.
  public enum Listing: Hashable, Sendable {
    /// All objects.
    case whole
    /// So many objects of a class after a key, and all of them up to the last one.
    case pages(Int)
    /// So many objects from an offset on. Objects that are inserted and deleted while the pages are read shift them.
    case offsets(Int)
    /// The changes since the last page, at most so many.
    case changes(Int)
  }

  /// The classes that the API has.
  public nonisolated let classes: [SyncedClass]
  /// What the API can do.
  public nonisolated let capabilities: RemoteCapabilities
  /// What becomes of conflicts.
  public nonisolated let policy: ConflictPolicy

  /// The requests that arrived, in their order. Those that were lost are not among them.
  public private(set) var requests: [MemoryRequest] = []
  /// The commands that were performed, in their order.
  public private(set) var commands: [SyncCommandRequest] = []

  nonisolated let translation: RemoteTranslation
  private(set) var server: MemoryServer
  /// What the server was before its last changes.
  private var past: [MemoryServer] = []
  private var lag = 0
  private var faults: [(requests: Set<MemoryRequest>, fault: MemoryFault, left: Int)] = []
  private var rejecting: [Int: @Sendable (Fields) -> String?] = [:]
  private var normalizing: [Int: @Sendable (RemoteName, Fields) throws -> Fields] = [:]
  private var waiters: [UUID: Waiter] = [:]

  private struct Waiter {
    let request: MemoryRequest
    let count: Int
    let continuation: CheckedContinuation<Void, any Error>
  }

  /// - Parameters:
  ///   - schema: The schema of the stores, see `Schema.synchronizing(_:)`.
  ///   - classes: The classes that are synchronized.
  ///   - capabilities: What the API can do. The default is an API that can do the least.
  ///   - listing: What its pages contain.
  ///   - answersWithObjects: Whether the answer to a change contains the object.
  ///   - policy: What becomes of conflicts.
  /// - Throws: `SyncError.invalidClass`.
  public init(
    _ schema: Schema, _ classes: [SyncedClass], capabilities: RemoteCapabilities = RemoteCapabilities(),
    listing: Listing = .whole, answersWithObjects: Bool = true, policy: ConflictPolicy = ConflictPolicy()
  ) throws(SyncError) {
    (self.classes, self.capabilities, self.policy) = (classes, capabilities, policy)
    let tables = try SyncedTables(schema, classes)
    translation = RemoteTranslation(tables)
    var abilities = MemoryServer.Abilities()
    (abilities.remote, abilities.answersWithRows) = (capabilities, answersWithObjects)
    switch listing {
    case .whole: abilities.listing = .whole
    case .pages(let count): abilities.listing = .byKey(max(1, count))
    case .offsets(let count): (abilities.listing, abilities.listsTogether) = (.shifting(max(1, count)), true)
    case .changes(let count): abilities.listing = .log(max(1, count))
    }
    let keys = tables.tables.map { table -> MemoryServer.KeyForm in
      switch table.keyStorage {
      case .text: .text
      case .blob: .uuid
      default: .integer
      }
    }
    server = MemoryServer(tables.model, abilities, keys: keys)
  }

  /// Lets the API reject creations and updates with which an object would have certain values, as with 422.
  ///
  /// - Parameters:
  ///   - type: A class of ``classes``.
  ///   - reason: Why an object is not taken, or nil if it is.
  /// - Throws: `SyncError.invalidAnswer` if the class is not synchronized.
  public func reject<Object: ManagedObject>(
    _ type: Object.Type, because reason: @escaping @Sendable (MemoryObject<Object>) -> String?
  ) throws(SyncError) {
    let (entity, table) = try translation.place(of: type)
    rejecting[entity] = { reason(MemoryObject(key: nil, version: nil, fields: $0, table: table)) }
  }

  /// Lets the API write values of created and updated objects in a form of its own, such as texts without spaces at
  /// their ends.
  ///
  /// - Parameters:
  ///   - type: A class of ``classes``.
  ///   - change: Receives an object as it was sent, and sets what is different.
  /// - Throws: `SyncError.invalidAnswer` if the class is not synchronized.
  public func normalize<Object: ManagedObject>(
    _ type: Object.Type, _ change: @escaping @Sendable (MemoryObject<Object>, inout RemoteValues<Object>) -> Void
  ) throws(SyncError) {
    let (entity, table) = try translation.place(of: type)
    normalizing[entity] = { [translation] name, fields in
      let object = MemoryObject<Object>(key: name.key, version: nil, fields: fields, table: table)
      return try translation.row(RemoteObject(type, key: name.key) { change(object, &$0) }).fields
    }
  }

  // Objects

  /// The objects of a class, by their keys.
  public func objects<Object: ManagedObject>(_ type: Object.Type) throws(SyncError) -> [MemoryObject<Object>] {
    let (entity, table) = try translation.place(of: type)
    return server.names.filter { $0.entity == entity }.compactMap { object($0, table) }
  }

  /// The object with a key, if there is one.
  public func object<Object: ManagedObject>(
    _ type: Object.Type, _ key: SyncKey
  ) throws(SyncError) -> MemoryObject<Object>? {
    let (entity, table) = try translation.place(of: type)
    return object(RemoteName(entity, key), table)
  }

  private func object<Object: ManagedObject>(
    _ name: RemoteName, _ table: SyncedTables.Table
  ) -> MemoryObject<Object>? {
    server.remoteRow(name).map {
      MemoryObject(key: name.key, version: $0.version, fields: $0.fields, table: table)
    }
  }

  /// Inserts an object as another client of the API would. One with the same key is replaced.
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

  /// Changes an object as another client of the API would, if it is there.
  ///
  /// - Throws: `SyncError.invalidAnswer`.
  public func update<Object: ManagedObject>(
    _ type: Object.Type, _ key: SyncKey, _ set: (inout RemoteValues<Object>) -> Void
  ) throws(SyncError) {
    let row = try translation.row(RemoteObject(type, key: key, set))
    write { $0.change(row.name) { $0.take(row.fields) } }
  }

  /// Deletes an object as another client of the API would. What refers to it loses the reference.
  public func delete(_ type: ManagedObject.Type, _ key: SyncKey) throws(SyncError) {
    let name = RemoteName(try translation.place(of: type).entity, key)
    write { $0.delete(name) }
  }

  /// Deletes an object for good: changes of it are answered as with 410.
  public func erase(_ type: ManagedObject.Type, _ key: SyncKey) throws(SyncError) {
    let name = RemoteName(try translation.place(of: type).entity, key)
    write { $0.erase(name) }
  }

  func write<Result>(_ change: (inout MemoryServer) throws -> Result) rethrows -> Result {
    if lag > 0 { past = (past + [server]).suffix(lag) }
    return try change(&server)
  }

  /// What reads see.
  var visible: MemoryServer { past.first ?? server }

  // Failures

  /// Lets the next requests fail. What was said first happens first.
  ///
  /// - Parameters:
  ///   - request: The kind of the requests. All kinds, if it is nil.
  ///   - fault: What happens to them.
  ///   - times: How many requests. All until ``heal()``, if it is nil.
  public func fail(_ request: MemoryRequest? = nil, with fault: MemoryFault, times: Int? = 1) {
    if let times, times < 1 { return }
    faults.append((request.map { [$0] } ?? Set(MemoryRequest.allCases), fault, times ?? .max))
  }

  /// Ends all failures, and the lag.
  public func heal() { (faults, lag, past) = ([], 0, []) }

  /// Lets reads be answered from what the API had before its last changes, as a replica of a database does.
  ///
  /// - Parameter changes: The number of changes that are not seen.
  public func lag(by changes: Int) {
    lag = max(0, changes)
    past = past.suffix(lag)
  }

  /// Returns when so many requests of a kind have arrived since the API was made. An answer may still be on its way.
  ///
  /// - Throws: `CancellationError`.
  public func received(_ request: MemoryRequest, times: Int) async throws {
    let id = UUID()
    try await withTaskCancellationHandler {
      try Task.checkCancellation()
      if count(request) >= times { return }
      try await withCheckedThrowingContinuation {
        waiters[id] = Waiter(request: request, count: times, continuation: $0)
      }
    } onCancel: {
      Task { await cancelWaiting(id) }
    }
  }

  private func cancelWaiting(_ id: UUID) {
    waiters.removeValue(forKey: id)?.continuation.resume(throwing: CancellationError())
  }

  private func resumeWaiters() {
    for (id, waiter) in waiters where count(waiter.request) >= waiter.count {
      waiters[id] = nil
      waiter.continuation.resume()
    }
  }

  private func count(_ request: MemoryRequest) -> Int { requests.count { $0 == request } }

  /// Does what a request says, or fails as a test has said.
  func answer<Answer: Sendable>(
    _ request: MemoryRequest, _ work: (MemoryFault?) throws -> Answer
  ) async throws -> Answer {
    let index = faults.firstIndex { $0.requests.contains(request) }
    let fault = index.map { faults[$0].fault }
    if let index {
      faults[index].left -= 1
      if faults[index].left == 0 { faults.remove(at: index) }
    }
    if let failure = fault?.failure(of: request) { throw MemoryFailure(failure: failure) }
    let answer = try work(fault)
    requests.append(request)
    resumeWaiters()
    switch fault {
    case .answerLost: throw MemoryFailure(failure: .unknown)
    case .unanswered: try await Self.waitForCancellation()
    default: break
    }
    return answer
  }

  private static func waitForCancellation() async throws {
    let (silence, continuation) = AsyncStream.makeStream(of: Never.self)
    for await _ in silence {}
    withExtendedLifetime(continuation) {}
    throw MemoryFailure(failure: .unknown)
  }

  func note(_ command: SyncCommandRequest) { commands.append(command) }

  /// Why the API does not take an object.
  func rejection(of entity: Int, _ fields: Fields) -> String? { rejecting[entity]?(fields) }

  /// What the API writes in a form of its own.
  func normalized(_ name: RemoteName, _ fields: Fields?) throws -> Fields? {
    try fields.flatMap { try normalizing[name.entity]?(name, $0) }
  }
}
