/// How far a singular path leads into a document.
enum StepOutcome {
  /// The value starts at this offset.
  case found(at: Int)
  /// The object or array at this offset has no such member or element.
  case missing(step: Int, container: Int)
  /// The value at this offset is not of the kind that the step requires.
  case mismatch(step: Int, value: Int, kind: ValueKind)
}
