internal import Dispatch

/// Runs an actor's jobs on a serial dispatch queue, so that waiting for the disk does not block a thread of the
/// cooperative pool.
///
/// `DispatchSerialQueue` is such an executor, but it does not exist on Linux.
final class QueueExecutor: SerialExecutor {
  let queue: DispatchQueue

  init(label: String) { queue = DispatchQueue(label: label) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // The block retains the executor. Nothing else would if the actor is deallocated in the meantime.
    queue.async { [self] in job.runSynchronously(on: asUnownedSerialExecutor()) }
  }

  func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
