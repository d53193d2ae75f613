/// An app's API, as a ``SyncEngine`` asks it.
///
/// ```swift
/// struct IssueRemote: SyncRemote {
///   let api: IssueAPI
///   let classes = [SyncedClass(Issue.self, key: \.number, created: .idempotencyKey)]
///   let scopes = ["issues"]
///
///   func pull(_ scope: String, after position: String?) async throws -> SyncPage {
///     let issues = try await api.issues()
///     return SyncPage(issues.map(\.remote), covers: [.all(Issue.self)])
///   }
///
///   func push(_ batch: SyncBatch, _ attempt: SyncBatch.Attempt) async throws {
///     for change in batch.changes {
///       guard let issue = change.of(Issue.self) else { continue }
///       switch change.kind {
///       case .creation:
///         let answer = try await api.create(IssueBody(issue), idempotencyKey: change.idempotencyKey)
///         try await attempt.record(.accepted(answer.remote), for: change)
///       case .update(let key):
///         let answer = try await api.update(key, IssueBody(issue))
///         try await attempt.record(.accepted(answer.remote), for: change)
///       case .deletion(let key):
///         try await api.delete(key)
///         try await attempt.record(.accepted(), for: change)
///       }
///     }
///   }
/// }
/// ```
///
/// All calls may throw. ``failure(_:)`` says what an error means: by default, what a `FetchError` says, and of other
/// errors, that the request may have taken effect.
/// The engine repeats what failed, later and later up to every five minutes. Calls can be made at the same time, from
/// any thread.
///
/// ## Topics
///
/// ### What the API is
/// - ``classes``
/// - ``scopes``
/// - ``capabilities``
/// - ``policy``
///
/// ### Requests
/// - ``pull(_:after:)``
/// - ``push(_:_:)``
/// - ``fetch(_:)``
/// - ``find(_:)``
/// - ``perform(_:)``
/// - ``failure(_:)``
nonisolated public protocol SyncRemote: Sendable {
  /// The classes that the API has. The container's schema is made with the same ones, see
  /// `Schema.synchronizing(_:)`.
  var classes: [SyncedClass] { get }

  /// What the API can do. By default, nothing but the simplest.
  var capabilities: RemoteCapabilities { get }

  /// What becomes of conflicts. The server wins by default.
  var policy: ConflictPolicy { get }

  /// The names of the lists to pull. They are yours: each is passed to ``pull(_:after:)``.
  var scopes: [String] { get }

  /// Reads a page of a list.
  ///
  /// - Parameters:
  ///   - scope: One of ``scopes``.
  ///   - position: ``SyncPage/position`` of the page before, or nil to begin at the beginning. The engine may begin
  ///     again at any time, and does so after ``SyncError/unknownPosition``.
  func pull(_ scope: String, after position: String?) async throws -> SyncPage

  /// Sends changes, and records what became of each before the next request.
  func push(_ batch: SyncBatch, _ attempt: SyncBatch.Attempt) async throws

  /// Reads objects by their keys. Called only if ``RemoteCapabilities/fetchesRows`` is true.
  ///
  /// - Returns: The objects, and those that the server does not have as ``SyncPage/deleted``. One that is in neither is
  ///   asked for again.
  func fetch(_ keys: [RemoteKey]) async throws -> SyncPage

  /// Looks for objects that may have been created although there was no answer. Called only for classes with
  /// ``CreationSettling/find``.
  ///
  /// - Returns: For each change of the batch the object that the server has, or nil if it has none. It is then created
  ///   again, so that a server which answers with an older state makes two of it.
  func find(_ batch: SyncBatch) async throws -> [RemoteObject?]

  /// Performs a command once. If it throws, ``failure(_:)`` says whether the command may have been performed.
  ///
  /// - Parameter command: What the app has passed to ``SyncEngine/enqueue(_:in:)``.
  func perform(_ command: SyncCommandRequest) async throws -> SyncCommandOutcome

  /// Returns what an error of any call says about its effect.
  func failure(_ error: any Error) -> RemoteFailure
}

extension SyncRemote {
  /// One object a request, and nothing to compare.
  public var capabilities: RemoteCapabilities { RemoteCapabilities() }

  /// The server wins.
  public var policy: ConflictPolicy { ConflictPolicy() }

  /// An empty page. Never called, unless the remote says that it fetches rows.
  public func fetch(_ keys: [RemoteKey]) async throws -> SyncPage { SyncPage([]) }

  /// Throws ``SyncError/cannotFind``, so that nothing is created twice.
  public func find(_ batch: SyncBatch) async throws -> [RemoteObject?] { throw SyncError.cannotFind }

  /// Rejects the command, because the remote performs none.
  public func perform(_ command: SyncCommandRequest) async throws -> SyncCommandOutcome {
    .rejected("the remote performs no commands")
  }

  /// What a `FetchError` says, see ``RemoteFailure/init(_:)``. After other errors, the request may have taken effect.
  public func failure(_ error: any Error) -> RemoteFailure { RemoteFailure(error) }
}
