/// How the elements of a stream are separated.
public enum JSONStreamFormat: Hashable, Sendable {
  /// The stream is one JSON document, and its elements are the elements of the array at a path.
  ///
  /// The path leads to the array (`photos.photo`) or to its elements (`photos.photo[*]`). Apart from a final `[*]`, the
  /// path can contain only names and non-negative indices. Nothing after the array is read.
  case array(at: JSONPath)

  /// One JSON text per line (NDJSON, JSON Lines); empty lines are skipped.
  case lines

  /// JSON texts, each preceded by a record separator (RFC 7464).
  ///
  /// A number, `true`, `false` or `null` that is not followed by whitespace is rejected, because it may have been
  /// truncated.
  case textSequence
}
