/// A value that was dropped from a lossy result or a stream.
public struct DroppedElement: Sendable {
  /// The value's index among the values to be decoded, counting from 0. For members of an object, this is the index in
  /// the sorted list of names.
  public let index: Int

  /// The value's path from the root of the decoded document or of the stream's document. With a ``JSONBytesDecoder``,
  /// the path contains the names as they appear in the document.
  public let path: JSONPath

  /// Why the value was dropped: where decoding failed inside the value, what was expected, and what was found.
  ///
  /// Only a ``JSONBytesDecoder`` and a stream have access to the bytes, so only their failures include a position and
  /// the kind of value that was found. The position is relative to the beginning of the document or stream. The
  /// `underlyingError` is the error that the decoder or the type's `init(from:)` threw.
  public let failure: LocatedDecodingError
}

extension DroppedElement: CustomStringConvertible {
  /// The description of ``failure``, which contains no values:
  /// `$['results'][3]['id']: expected Int, found a string at line 1, column 9 (byte 8)`.
  public var description: String { failure.description }
}
