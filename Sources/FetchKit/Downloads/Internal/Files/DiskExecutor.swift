internal import Dispatch

/// Runs tasks on dedicated threads, so that waiting for the disk does not block the threads of the shared pool.
///
/// A task that prefers this executor stays on it in every call, so that no thread switch occurs between receiving a
/// chunk and writing it.
final class DiskExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "larder.downloads", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
