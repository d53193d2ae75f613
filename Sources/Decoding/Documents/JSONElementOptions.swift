/// Options that limit a stream of elements and determine how to handle elements that cannot be decoded.
public struct JSONElementOptions: Sendable {
  /// The maximum size, in bytes, of an element or of a name along the path to the elements. The default is 16 MiB.
  public var maximumElementSize = 16 << 20

  /// The maximum number of elements that can be dropped because they cannot be decoded. If one more element cannot be
  /// decoded, the stream ends with an error. The default is 0.
  ///
  /// An array element that is malformed or nested too deeply always ends the stream, because the bytes after it cannot
  /// be trusted. A malformed line, or a malformed JSON text in a sequence, is dropped like any other element that
  /// cannot be decoded.
  public var dropLimit = 0

  /// A closure that is called for each dropped element.
  public var onDrop: (@Sendable (DroppedElement) -> Void)?

  /// Creates options with a maximum element size of 16 MiB and a drop limit of 0.
  public init() {}
}
