import Foundation

@testable import Persistence

extension PersistentContainer {
  /// Returns after the view context has merged all commits so far, which reach it through these two queues.
  func settle() async {
    let queue = store.commitQueue
    await withCheckedContinuation { continuation in
      queue.async { DispatchQueue.main.async { continuation.resume() } }
    }
  }
}
