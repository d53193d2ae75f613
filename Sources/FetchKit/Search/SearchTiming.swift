/// When a fetch begins after an input.
public enum SearchTiming: Sendable, Hashable {
  /// A fetch begins immediately with every input.
  case immediate
  /// A fetch begins when no further input has arrived for this duration, for example because the user has stopped
  /// typing.
  case debounce(Duration)
  /// A fetch begins immediately, but no sooner than this duration after the previous fetch began. The last input is
  /// always fetched.
  case throttle(Duration)
}
