import Foundation

@testable import Persistence

extension PersistentContainer {
  /// Returns after the view context has taken all commits so far: they reach it by way of these two queues.
  func settle() async {
    let queue = store.commitQueue
    await withCheckedContinuation { continuation in
      queue.async { DispatchQueue.main.async { continuation.resume() } }
    }
  }
}
