/// The contexts of a container: closing it waits for the work that they have queued.
final class OpenContexts: Sendable {
  private struct Member {
    weak var context: ObjectContext?
  }

  private struct State {
    var members: [Member] = []
    /// How many there may be before those that are gone are left out.
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

  /// From here on contexts are born closed. Those that there are must be closed by the caller.
  func close() -> [ObjectContext] {
    state.withLock { state in
      state.isClosed = true
      return state.members.compactMap(\.context)
    }
  }
}
