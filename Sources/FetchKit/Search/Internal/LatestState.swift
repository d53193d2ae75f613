/// Decides which input of a ``LatestFetch`` is current and when its search begins. It uses no clock and no task.
struct LatestState {
  private let pace: SearchTiming
  private var latest = 0
  private var isCurrent = false
  private var lastStart: Duration?

  init(_ pace: SearchTiming) {
    self.pace = pace
  }

  /// Records a new input, which replaces the previous one. Returns its number and how long it has to wait.
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

  /// Ends the wait of an input. Returns whether it is still the latest and begins.
  mutating func begin(_ number: Int, at now: Duration) -> Bool {
    guard isCurrent, number == latest else { return false }
    lastStart = now
    return true
  }

  /// Records the result of an input. Returns whether to deliver it.
  mutating func deliver(_ number: Int) -> Bool {
    guard isCurrent, number == latest else { return false }
    isCurrent = false
    return true
  }

  /// Makes no input current.
  mutating func cancel() {
    isCurrent = false
  }
}
