/// A value that was dropped from a lossy result or a stream because it could not be decoded.
public struct DroppedElement: Sendable {
  /// The value's index among the values to be decoded, counting from 0. For a member of an object, this is the index of
  /// its name in the sorted list of the object's names.
  public let index: Int

  /// The path from the root of the document to the value. In a stream of separate documents, the path consists of the
  /// value's index. With a ``JSONBytesDecoder``, the path contains the names as they appear in the document.
  public let path: JSONPath

  /// Why the value was dropped: where decoding failed inside the value, what was expected, and what was found.
  ///
  /// The failure includes a position and the kind of value that was found only if the value was decoded by a
  /// ``JSONBytesDecoder`` or from a stream, because other decoders do not expose the document's bytes. The position is
  /// relative to the beginning of the document or stream. The `underlyingError` of the failure is the error that the
  /// decoder or the type's `init(from:)` threw.
  public let failure: LocatedDecodingError
}

extension DroppedElement: CustomStringConvertible {
  /// The description of ``failure``, which contains no values from the document:
  /// `$['results'][3]['id']: expected Int, found a string at line 1, column 9 (byte 8)`.
  public var description: String { failure.description }
}
