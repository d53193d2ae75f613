/// When to try again after failures: twice as late after each, up to five minutes, unless the server says when.
struct Pace: Hashable {
  private var pushFailures = 0
  private var readFailures = 0
  private var stuckFetches = 0
  private var failures: [Int64: Int] = [:]
  private(set) var nextPush: Int64 = .min
  private(set) var nextRead: Int64 = .min
  /// When rows may be fetched again of which an answer said nothing.
  private(set) var nextFetch: Int64 = .min
  /// When a push may be sent again. One that fails alone does not delay the others for long.
  private(set) var nextRepetition: [Int64: Int64] = [:]
  /// Until when the server wants to be left alone.
  private var quiet: Int64 = .min

  private static func delay(after failures: Int) -> Int64 { min(500 << min(failures, 10), 300_000) }

  /// What a server says can be any number.
  private static func limited(_ given: Int64?) -> Int64? { given.map { min(max(0, $0), 86_400_000) } }

  // A success is one of a request that began before a failure or after its delay. So it ends no delay.
  mutating func succeed(_ push: Int64) {
    pushFailures = 0
    forget(push)
  }

  mutating func forget(_ push: Int64) {
    failures[push] = nil
    nextRepetition[push] = nil
  }

  mutating func delay(_ push: Int64, at now: Int64, by given: Int64?) {
    let given = Self.limited(given)
    let own = failures[push, default: 0]
    failures[push] = own + 1
    nextRepetition[push] = now + (given ?? Self.delay(after: own))
    nextPush = max(nextPush, now + (given ?? Self.delay(after: pushFailures) / 2))
    pushFailures += 1
    if let given { quiet = max(quiet, now + given) }
  }

  mutating func succeedReading() { readFailures = 0 }

  mutating func delayReading(at now: Int64, by given: Int64?) {
    let given = Self.limited(given)
    nextRead = max(nextRead, now + (given ?? Self.delay(after: readFailures)))
    readFailures += 1
    if let given { quiet = max(quiet, now + given) }
  }

  mutating func succeedFetching() { stuckFetches = 0 }

  mutating func delayFetching(at now: Int64) {
    nextFetch = now + Self.delay(after: stuckFetches)
    stuckFetches += 1
  }

  /// Ends the delays that the server has not asked for.
  mutating func hurry() {
    nextPush = min(nextPush, quiet)
    nextRead = min(nextRead, quiet)
    nextFetch = min(nextFetch, quiet)
    nextRepetition = nextRepetition.mapValues { min($0, quiet) }
  }

  func allows(_ push: Int64, at now: Int64) -> Bool { nextRepetition[push].map { $0 <= now } ?? true }

  /// The next time that something becomes possible.
  func next(after now: Int64) -> Int64? {
    ([nextPush, nextRead, nextFetch] + nextRepetition.values).filter { $0 > now }.min()
  }
}
