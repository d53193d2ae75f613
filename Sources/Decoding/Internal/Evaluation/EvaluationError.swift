/// Why a path could not be evaluated on a document.
enum EvaluationError: Error {
  case syntax(JSONSyntaxError)
  /// The path asks for more work or nesting than is allowed on a document of this size.
  case tooMuch(String)
}
