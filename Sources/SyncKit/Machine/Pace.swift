/// When to try again after failures: twice as late after each, up to five minutes.
struct Pace: Hashable {
  private var pushFailures = 0
  private var readFailures = 0
  private var failures: [Int64: Int] = [:]
  private(set) var nextPush: Int64 = .min
  private(set) var nextRead: Int64 = .min
  /// When a push may be sent again. One that fails alone does not delay the others for long.
  private(set) var nextRepetition: [Int64: Int64] = [:]

  private static func delay(after failures: Int) -> Int64 { min(500 << min(failures, 10), 300_000) }

  mutating func succeed(_ push: Int64?) {
    pushFailures = 0
    nextPush = .min
    guard let push else { return }
    failures[push] = nil
    nextRepetition[push] = nil
  }

  mutating func delay(_ push: Int64, at now: Int64, by given: Int64?) {
    let own = failures[push, default: 0]
    failures[push] = own + 1
    nextRepetition[push] = now + (given ?? Self.delay(after: own))
    nextPush = now + (given ?? Self.delay(after: pushFailures) / 2)
    pushFailures += 1
  }

  mutating func succeedReading() {
    readFailures = 0
    nextRead = .min
  }

  mutating func delayReading(at now: Int64, by given: Int64?) {
    nextRead = now + (given ?? Self.delay(after: readFailures))
    readFailures += 1
  }

  func allows(_ push: Int64, at now: Int64) -> Bool { nextRepetition[push].map { $0 <= now } ?? true }

  /// The next time that something becomes possible.
  func next(after now: Int64) -> Int64? {
    ([nextPush, nextRead] + nextRepetition.values).filter { $0 > now }.min()
  }
}
