/// What bounds the text of a path, so that parsing and evaluating one takes bounded stack.
enum PathLimits {
  static let bytes = 65_536
  static let segments = 512
  static let nesting = 64
  /// RFC 9535 §2.1: integers of a path stay within what I-JSON holds exactly.
  static let largestInteger = 9_007_199_254_740_991
}
