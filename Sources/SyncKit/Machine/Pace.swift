/// When to try again after failures: twice as late after each, up to five minutes, unless the server says when.
struct Pace: Hashable {
  private var pushFailures = 0
  private var readFailures = 0
  private var failures: [Int64: Int] = [:]
  private(set) var nextPush: Int64 = .min
  private(set) var nextRead: Int64 = .min
  /// How often rows were fetched of which the answer said nothing, and when they may be fetched again.
  private var fetches: [RowID: Vain] = [:]
  /// When a push may be sent again. One that fails alone does not delay the others for long.
  private(set) var nextRepetition: [Int64: Int64] = [:]
  /// Until when the server wants to be left alone.
  private var quiet: Int64 = .min

  private struct Vain: Hashable {
    var count: Int
    var next: Int64
  }

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

  /// Delays a push, or a command, and no other one.
  mutating func delayAlone(_ push: Int64, at now: Int64, by given: Int64? = nil) {
    let own = failures[push, default: 0]
    failures[push] = own + 1
    nextRepetition[push] = now + (given ?? Self.delay(after: own))
  }

  mutating func delay(_ push: Int64, at now: Int64, by given: Int64?) {
    let given = Self.limited(given)
    delayAlone(push, at: now, by: given)
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

  func allowsFetching(_ row: RowID, at now: Int64) -> Bool { fetches[row].map { $0.next <= now } ?? true }

  mutating func delayFetching(_ row: RowID, at now: Int64) {
    let vain = fetches[row]?.count ?? 0
    fetches[row] = Vain(count: vain + 1, next: now + Self.delay(after: vain))
  }

  /// Forgets the rows that do not have to be read any more.
  mutating func keepFetches(of owed: [RowID]) {
    if fetches.isEmpty { return }
    let owed = Set(owed)
    fetches = fetches.filter { owed.contains($0.key) }
  }

  /// Ends the delays that the server has not asked for.
  mutating func hurry() {
    nextPush = min(nextPush, quiet)
    nextRead = min(nextRead, quiet)
    fetches = fetches.mapValues { Vain(count: $0.count, next: min($0.next, quiet)) }
    nextRepetition = nextRepetition.mapValues { min($0, quiet) }
  }

  func allows(_ push: Int64, at now: Int64) -> Bool { nextRepetition[push].map { $0 <= now } ?? true }

  /// The next time that something becomes possible.
  func next(after now: Int64) -> Int64? {
    ([nextPush, nextRead] + nextRepetition.values + fetches.values.map(\.next)).filter { $0 > now }.min()
  }
}
