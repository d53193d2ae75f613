/// Limits of a stream of elements, and what is done with elements that cannot be decoded.
public struct JSONElementOptions: Sendable {
  /// The size of the largest element in bytes, and of the longest name on the way to the elements: 16 MiB at first.
  public var maximumElementSize = 16 << 20

  /// How many elements may be dropped because they cannot be decoded, before an error ends the stream: none at first.
  ///
  /// An element of an array that is malformed ends the stream in any case, as what follows it cannot be trusted; a line
  /// or a text of a sequence that is malformed is dropped like others.
  public var dropLimit = 0

  /// Is told of each element that was dropped.
  public var onDrop: (@Sendable (LossyDrop) -> Void)?

  /// Options with a limit of 16 MiB, by which no element is dropped.
  public init() {}
}
