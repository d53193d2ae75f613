internal import Foundation
public import Persistence
public import SyncKit

/// An API in memory, for the tests of an app: it can do what a test says, and fails when a test says so.
///
/// ```swift
/// let schema = Schema(Note.self).synchronizing(classes)
/// let api = try MemoryAPI(schema, classes)
/// try await api.insert(Note.self, key: 1) { $0.set(\.text, to: "Call Ann") }
/// let container = try await PersistentContainer(at: .inMemory, schema: schema)
/// let engine = try SyncEngine(container, with: api, pause: MemoryAPI.noLaterAttempts)
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
/// - ``answerCommands(_:)``
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
/// - ``release()``
/// - ``lag(by:)``
/// - ``heal()``
/// - ``noLaterAttempts``
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

  /// What an API does with a command.
  public typealias CommandAnswer = @Sendable (SyncCommandRequest, isolated MemoryAPI) throws -> SyncCommandOutcome

  /// Waits until the engine is stopped. An engine with this pause makes later attempts only when a test asks for them,
  /// with `synchronize()` or `refresh()`.
  public static let noLaterAttempts: @Sendable (Duration) async throws -> Void = { _ in
    let (silence, continuation) = AsyncStream.makeStream(of: Never.self)
    for await _ in silence {}
    withExtendedLifetime(continuation) {}
    throw CancellationError()
  }

  /// The classes that the API has.
  public nonisolated let classes: [SyncedClass]
  /// What the API can do.
  public nonisolated let capabilities: RemoteCapabilities
  /// What becomes of conflicts.
  public nonisolated let policy: ConflictPolicy

  /// The requests that arrived, in their order. Those that were ``MemoryFault/lost`` are not among them.
  public internal(set) var requests: [MemoryRequest] = []
  /// The commands that were performed, in their order.
  public internal(set) var commands: [SyncCommandRequest] = []

  nonisolated let translation: RemoteTranslation
  var server: MemoryServer
  /// What the server was before its last changes.
  var past: [MemoryServer] = []
  var lag = 0
  var faults: [(requests: Set<MemoryRequest>, fault: MemoryFault, left: Int)] = []
  var answeringCommands: CommandAnswer = { _, _ in .done }
  var rejecting: [Int: @Sendable (SyncKey?, Fields) -> String?] = [:]
  var normalizing: [Int: @Sendable (RemoteName, Fields) throws -> Fields] = [:]
  var waiters: [UUID: Waiter] = [:]
  /// The requests whose answers are held.
  var held: [UUID: CheckedContinuation<Void, Never>] = [:]

  struct Waiter {
    let request: MemoryRequest
    let count: Int
    let continuation: CheckedContinuation<Void, any Error>
  }

  /// - Parameters:
  ///   - schema: The schema of the stores, see `Schema.synchronizing(_:)`.
  ///   - classes: The classes that are synchronized.
  ///   - capabilities: What the API can do. The default is an API that can do the least. One that compares versions has
  ///     at least opaque ones.
  ///   - listing: What its pages contain.
  ///   - answersWithObjects: Whether the answer to a change contains the object.
  ///   - policy: What becomes of conflicts.
  /// - Throws: `SyncError.invalidClass`.
  public init(
    _ schema: Schema, _ classes: [SyncedClass], capabilities: RemoteCapabilities = RemoteCapabilities(),
    listing: Listing = .whole, answersWithObjects: Bool = true, policy: ConflictPolicy = ConflictPolicy()
  ) throws(SyncError) {
    var capabilities = capabilities
    if capabilities.comparesVersions, capabilities.versions == .none { capabilities.versions = .opaque }
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
  ///   - reason: Why an object is not taken, as it would be with what was sent, or nil if it is taken.
  /// - Throws: `SyncError.invalidAnswer` if the class is not synchronized.
  public func reject<Object: ManagedObject>(
    _ type: Object.Type, because reason: @escaping @Sendable (MemoryObject<Object>) -> String?
  ) throws(SyncError) {
    let (entity, table) = try translation.place(of: type)
    rejecting[entity] = { reason(MemoryObject(key: $0, version: nil, fields: $1, table: table)) }
  }

  /// Lets the API write values of created and updated objects in a form of its own, such as texts without spaces at
  /// their ends.
  ///
  /// - Parameters:
  ///   - type: A class of ``classes``.
  ///   - change: Receives an object as it would be with what was sent, and sets what is different.
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

  /// Lets the API do something with the commands that it performs, such as change objects.
  ///
  /// - Parameter answer: Receives a command, and the API. What it throws is a request without an answer.
  public func answerCommands(_ answer: @escaping CommandAnswer) { answeringCommands = answer }
}
