/// Limits on the text of a path, so that parsing and evaluating it uses bounded stack.
enum PathLimits {
  static let bytes = 65_536
  static let segments = 512
  static let nesting = 64
  /// RFC 9535 §2.1: the integers of a path are within the range that I-JSON represents exactly.
  static let largestInteger = 9_007_199_254_740_991
}
