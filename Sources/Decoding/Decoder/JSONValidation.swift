/// How thoroughly to validate the parts of a document that are skipped without being decoded.
///
/// Decoded parts are always validated in full.
public enum JSONValidation: Hashable, Sendable {
  /// Validates the grammar, escapes and UTF-8 of skipped parts.
  case full

  /// Follows only brackets and quotes, which is about twice as fast. Use it for documents that have already been
  /// validated.
  ///
  /// Malformed input can then go undetected, or be reported at a different position. It never compromises memory
  /// safety.
  case trusted
}
