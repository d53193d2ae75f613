/// Says when the write-ahead log is to be taken over into the store's file. It is pure.
///
/// Once everything in the log is taken over and nobody reads it any more, the next writer begins it anew. A writer that
/// never pauses would keep that from happening, so there is a length at which it has to wait.
struct CheckpointPlan {
  /// In pages: how long a log is when it is first taken over, and how much it grows until it is again.
  private let step: Int
  /// A page in the log, with what SQLite writes before it.
  private static let pageSize = 4096 + 24

  /// How much a log may grow, from when it was first taken over, until a writer waits: what a single commit has written
  /// does not count.
  private let growth: Int
  private var pages = 0
  /// How long this log was when it was first taken over, and for the last time; nil before.
  private var begun: (first: Int, last: Int)?
  private var isRunning = false
  /// Whether the log is taken over to its end: the next commit begins it anew, unless somebody reads it.
  private var isTakenOver = false

  /// - Parameter size: in bytes, what the log is cut back to. A quarter is left for a last commit.
  init(keepingBelow size: Int, every step: Int = 1000) {
    self.step = step
    growth = max(0, size / 4 * 3 / Self.pageSize - step)
  }

  /// Whether the writer is to wait until the log is taken over.
  var isBehind: Bool { isTakenOver ? false : begun.map { pages - $0.first >= growth } ?? false }

  /// After a commit that has left a log of so many pages. True if it is to be taken over, beside the writers.
  mutating func committed(pages: Int) -> Bool {
    // A commit adds to the log, unless it has begun anew. Nothing else tells: when everything is taken over, a reader
    // may still keep the log from it.
    if pages <= self.pages { begun = nil }
    isTakenOver = false
    self.pages = pages
    guard pages >= step, !isRunning, begun.map({ pages - $0.last >= step }) ?? true else { return false }
    begun = (begun?.first ?? pages, pages)
    // Or the writer does it alone.
    isRunning = !isBehind
    return isRunning
  }

  /// A writer that has waited has taken over the log to its end, while nobody wrote.
  mutating func tookOverAll() { isTakenOver = true }

  /// What was begun is done, or has failed.
  mutating func ended() { isRunning = false }
}
