internal import Foundation

/// The state that a container's contexts share: the access to the store, and what follows its commits.
final class Store: Sendable {
  let access: StoreAccess
  /// The queue that notifies listeners of commits.
  let commitQueue = DispatchQueue(label: "Persistence.commits")
  let reader = ResultsReader()
  let mainInbox = MainInbox()
  let contexts = OpenContexts()
  /// The result of migrating an older store when it was opened.
  let migration: MigrationReport?
  /// The result of recovering a corrupt store when it was opened.
  let recovery: RecoveryReport?
  private let polling: Lock<StorePolling?> = Lock(nil)
  /// Keeps an in-memory store alive.
  private let keeper: Lock<Keeper?>

  /// `@unchecked Sendable`: the connection is never used again. It is only closed, by the caller that takes it from the
  /// lock.
  private struct Keeper: @unchecked Sendable {
    let connection: Connection
  }

  init(_ location: StoreLocation, _ schema: Schema, _ configuration: StoreConfiguration) throws(PersistenceError) {
    let configuration = StoreFile.settled(configuration, for: location)
    access = StoreAccess(location, schema, configuration)
    guard schema.problems.isEmpty else { throw .invalidSchema(schema.problems) }
    let place = access.place
    let opened = try StoreOpening(location: location, place: place, schema: schema, configuration: configuration).run()
    (migration, recovery) = (opened.migration, opened.recovery)
    keeper = Lock(place.isURI ? Keeper(connection: opened.connection) : nil)
    if let position = opened.position { access.commits.followHistory(after: position) }
    if !place.isURI { access.suspension.watch(place.name) }
    if let interval = configuration.pollInterval {
      // What others commit from now on is noticed. If it fails, the next poll repeats it.
      commitQueue.sync { try? reader.poll(access) }
      access.whenOthersCommit.withLock { $0 = { [weak self] in self?.poll() } }
      let polling = StorePolling(every: interval, by: configuration.pollClock) { [weak self] in
        guard let self else { return false }
        await withCheckedContinuation { continuation in self.poll { continuation.resume() } }
        return true
      }
      self.polling.withLock { $0 = polling }
    }
  }

  /// Prevents new connections, and ends the sequences of commits after the last commit. An in-memory store is
  /// discarded.
  func close() async {
    access.close()
    let keeper = keeper.withLock { keeper in
      defer { keeper = nil }
      return keeper
    }
    // It ends outside the lock because it calls a clock supplied by the user.
    let ended = polling.withLock { polling in
      defer { polling = nil }
      return polling
    }
    withExtendedLifetime(ended) {}
    await withCheckedContinuation { continuation in
      commitQueue.async { [reader, access] in
        reader.close()
        access.commits.end()
        continuation.resume()
      }
    }
    await access.checkpointer?.settled()
    keeper?.connection.close()
  }

  /// Checks whether others have committed, and notifies the listeners.
  ///
  /// - Parameter completion: Called when the check is done.
  func poll(_ completion: @escaping @Sendable () -> Void = {}) {
    commitQueue.async {
      do {
        if !self.access.suspension.isRefusing, !self.access.isClosed { try self.reader.poll(self.access) }
      } catch {
        // The next poll tries again. A fetch in the meantime throws the error.
      }
      completion()
    }
  }

  /// Closes the connection of live results, after the commits made so far are reported.
  func disconnectReader() async {
    await withCheckedContinuation { continuation in
      commitQueue.async { [reader] in
        reader.close()
        continuation.resume()
      }
    }
  }

  /// Reports to contexts, sequences of commits and live results what others committed during a suspension. Other
  /// programs may have written without a history, so anything may have changed.
  func catchUp() async {
    if access.isPolling { await withCheckedContinuation { continuation in poll { continuation.resume() } } }
    access.commits.publishUnknown()
  }

  /// On the main actor, waits until its objects and controllers have taken on all commits so far: call this before
  /// anything there learns of a commit. Elsewhere it returns immediately.
  func settleMain(_ isolation: isolated (any Actor)? = #isolation) async {
    guard isolation === MainActor.shared else { return }
    await withCheckedContinuation { continuation in
      commitQueue.async { [self] in
        // A commit that is being published has reached all listeners when its lock is free.
        _ = access.commits.count
        commitQueue.async { continuation.resume() }
      }
    }
    await mainInbox.work()
  }

  /// As ``settleMain(_:)``. Nothing on the queue waits for the main actor, which may therefore wait here.
  @MainActor func settleMainNow() {
    commitQueue.sync { _ = access.commits.count }
    commitQueue.sync {}
    mainInbox.work()
  }
}
