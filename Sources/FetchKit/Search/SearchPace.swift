/// When a search begins after an input.
public enum SearchPace: Sendable, Hashable {
  /// At once, with every input.
  case immediate
  /// When there has been no other input for that long: one search once the typing stops.
  case debounce(Duration)
  /// At once, but no sooner than that long after the search before has begun; the last input is always searched for.
  case throttle(Duration)
}
