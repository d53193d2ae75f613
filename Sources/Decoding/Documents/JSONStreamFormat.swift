/// How the elements of a stream are told apart.
public enum JSONStreamFormat: Hashable, Sendable {
  /// The stream is one JSON document, and the elements are those of the array that a path leads to.
  ///
  /// The path is that of the array (`photos.photo`) or of its elements (`photos.photo[*]`), otherwise of names and
  /// indices from the front. Behind the array nothing is read.
  case array(at: JSONPath)

  /// A JSON text on each line (NDJSON, JSON Lines); empty lines are passed over.
  case lines

  /// JSON texts, each behind a record separator (RFC 7464).
  ///
  /// A number, `true`, `false` or `null` that no white space follows may have been cut short, and is refused.
  case textSequence
}
