internal import Dispatch

/// Runs an actor on a dispatch queue of its own, so that waiting for the disk blocks none of the threads that all tasks
/// share.
final class DiskQueue: SerialExecutor {
  private let queue: DispatchQueue

  init(_ label: String) {
    queue = DispatchQueue(label: label)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [self] in job.runSynchronously(on: asUnownedSerialExecutor()) }
  }
}
