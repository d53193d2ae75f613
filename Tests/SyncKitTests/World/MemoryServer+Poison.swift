import Persistence
import SyncKit
import SyncTesting

extension MemoryServer {
  /// - Parameter isRejecting: Whether texts with an exclamation mark are rejected.
  mutating func push(_ request: PushRequest, isRejecting: Bool) -> [RowID: Outcome] {
    let rules = Rules(rejecting: { _, sent, _ in
      isRejecting && sent.values.contains { $0?.isPoison ?? false } ? "poison" : nil
    })
    // Only a form of values throws.
    return (try? push(request, rules)) ?? [:]
  }
}

extension SyncValue {
  fileprivate var isPoison: Bool { if case .plain(.text(let text)) = self { text.contains("!") } else { false } }
}
