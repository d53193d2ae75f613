/// The contexts of a container. Closing the container waits for the work that they have queued.
final class OpenContexts: Sendable {
  private struct Member {
    weak var context: ObjectContext?
  }

  private struct State {
    var members: [Member] = []
    /// The number of members at which deallocated contexts are removed from the list.
    var limit = 64
    var isClosed = false
  }

  private let state = Lock(State())

  func make(for store: Store, merging policy: MergePolicy) -> ObjectContext {
    state.withLock { state in
      let context = ObjectContext(store, merging: policy, isClosed: state.isClosed)
      if state.isClosed { return context }
      if state.members.count >= state.limit {
        state.members.removeAll { $0.context == nil }
        state.limit = max(64, state.members.count * 2)
      }
      state.members.append(Member(context: context))
      return context
    }
  }

  var existing: [ObjectContext] { state.withLock { $0.members.compactMap(\.context) } }

  /// Returns the existing contexts, which the caller must close. Contexts created from now on are closed from the
  /// start.
  func close() -> [ObjectContext] {
    state.withLock { state in
      state.isClosed = true
      return state.members.compactMap(\.context)
    }
  }
}
