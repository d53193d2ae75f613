/// Decides when to checkpoint the write-ahead log. It is a pure state machine.
///
/// Once everything in the log has been copied to the store's file and no one reads the log any more, the next writer
/// restarts it. A writer that never pauses would prevent that, so beyond a certain length of the log it has to wait.
struct CheckpointPlan {
  /// The length of the log at the first checkpoint, and its growth between checkpoints, in pages.
  private let step: Int
  /// The size of a page in the log, including SQLite's frame header.
  private static let pageSize = 4096 + 24

  /// How many pages the log may grow after its first checkpoint before a writer has to wait. What a single commit has
  /// written does not count.
  private let growth: Int
  private var pages = 0
  /// The length of the log at its first and at its latest checkpoint. Nil before the first.
  private var begun: (first: Int, last: Int)?
  private var isRunning = false
  /// Whether the log has been copied completely. The next commit then restarts it, unless someone is reading it.
  private var isTakenOver = false

  /// - Parameter size: The size that the log is truncated to, in bytes. A quarter of it is reserved for a final commit.
  init(keepingBelow size: Int, every step: Int = 1000) {
    self.step = step
    growth = max(0, size / 4 * 3 / Self.pageSize - step)
  }

  /// Whether the writer has to wait for a checkpoint.
  var isBehind: Bool { isTakenOver ? false : begun.map { pages - $0.first >= growth } ?? false }

  /// Records a commit that has left a log of `pages` pages. Returns true if a checkpoint should run alongside the
  /// writers.
  mutating func committed(pages: Int) -> Bool {
    // A commit makes the log longer unless it has restarted it. There is no other indication: after a complete
    // checkpoint, a reader may still prevent the restart.
    if pages <= self.pages { begun = nil }
    isTakenOver = false
    self.pages = pages
    guard pages >= step, !isRunning, begun.map({ pages - $0.last >= step }) ?? true else { return false }
    begun = (begun?.first ?? pages, pages)
    // Otherwise the writer checkpoints the log alone.
    isRunning = !isBehind
    return isRunning
  }

  /// Records that a waiting writer has checkpointed the log completely while no one wrote.
  mutating func tookOverAll() { isTakenOver = true }

  /// Records that the running checkpoint has finished or failed.
  mutating func ended() { isRunning = false }
}
