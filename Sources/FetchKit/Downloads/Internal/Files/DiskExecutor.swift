internal import Dispatch

/// Runs tasks on threads of its own, so that waiting for the disk blocks none of the threads that all others share.
///
/// A task that prefers it stays there, whatever it calls: there is no change of thread between a chunk that comes and
/// its being written.
final class DiskExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "larder.downloads", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
