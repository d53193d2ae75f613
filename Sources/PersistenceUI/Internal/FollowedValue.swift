internal import Observation
internal import Persistence

/// A value that is read from the store again after each commit that may have changed it.
@MainActor @Observable final class FollowedValue<Value: Sendable & Equatable> {
  private(set) var value: Value
  private(set) var failure: PersistenceError?

  @ObservationIgnored private let read: @Sendable (ObjectSpace) throws -> Value
  @ObservationIgnored private weak var container: PersistentContainer?
  @ObservationIgnored private var following: Task<Void, Never>?

  init(_ value: Value, _ read: @escaping @Sendable (ObjectSpace) throws -> Value) {
    self.value = value
    self.read = read
  }

  deinit { following?.cancel() }

  /// Reads the value at once, and follows it from then on.
  func follow(in container: PersistentContainer) {
    if self.container === container { return }
    self.container = container
    following?.cancel()
    do throws(PersistenceError) {
      take(try container.viewContext.perform(read))
    } catch {
      failure = error
    }
    let values = container.liveValues(read)
    following = Task { [weak self, weak container] in
      // While reading fails. It is read once more at once, because a commit may have come before these were followed.
      var commits: CommitSequence.Iterator?
      while !Task.isCancelled {
        do throws(PersistenceError) {
          for try await value in values {
            self?.take(value)
            commits = nil
          }
          return
        } catch {
          self?.failure = error
        }
        if var waiting = commits {
          if await waiting.next(isolation: #isolation) == nil { return }
          commits = waiting
        } else {
          commits = container?.commits.makeAsyncIterator()
        }
      }
    }
  }

  private func take(_ value: Value) {
    if failure != nil { failure = nil }
    if value != self.value { self.value = value }
  }
}
