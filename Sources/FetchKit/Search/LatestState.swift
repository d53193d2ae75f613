/// Which of the inputs of a ``LatestFetch`` counts, and when it is its turn. It knows no clock and no task.
struct LatestState {
  private let pace: SearchPace
  private var latest = 0
  private var isCurrent = false
  private var lastStart: Duration?

  init(_ pace: SearchPace) {
    self.pace = pace
  }

  /// A new input: the one before is over. Returns its number, and how long it has to wait.
  mutating func submit(at now: Duration) -> (number: Int, wait: Duration) {
    latest += 1
    isCurrent = true
    switch pace {
    case .immediate: return (latest, .zero)
    case .debounce(let quiet): return (latest, max(.zero, quiet))
    case .throttle(let interval):
      guard let lastStart else { return (latest, .zero) }
      return (latest, max(.zero, lastStart + interval - now))
    }
  }

  /// The wait of an input is over: whether it is still the latest, and begins.
  mutating func begin(_ number: Int, at now: Duration) -> Bool {
    guard isCurrent, number == latest else { return false }
    lastStart = now
    return true
  }

  /// The outcome of an input is there: whether it is delivered.
  mutating func deliver(_ number: Int) -> Bool {
    guard isCurrent, number == latest else { return false }
    isCurrent = false
    return true
  }

  /// No input counts any more.
  mutating func cancel() {
    isCurrent = false
  }
}
