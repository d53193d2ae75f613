/// Why a path could not be evaluated on a document.
enum EvaluationError: Error {
  /// The document is not JSON; the scanner has the place.
  case malformed
  /// The path needs more of something than its limit, in words.
  case limit(String)
  case cancelled
}
