/// Why a path could not be evaluated on a document.
enum EvaluationError: Error {
  /// The document is not JSON; the scanner has the offset.
  case malformed
  /// The path exceeds a limit, with a description of it.
  case limit(String)
  case cancelled
}
