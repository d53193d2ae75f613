public import Foundation

/// A drop-in replacement for Foundation's `JSONEncoder` that encodes `Encodable` types directly to the bytes of a JSON
/// document.
///
/// ```swift
/// let encoder = JSONBytesEncoder()
/// encoder.outputFormatting = .sortedKeys
/// let body = try encoder.encode(["title": "Emma", "isbn": "9780000000000"])
/// ```
///
/// The encoder writes the bytes of each value as soon as the value is encoded, without first building a tree of the
/// document. The options, supported types and results match those of Foundation's encoder, except for the following:
///
/// - Members appear in the order in which they were encoded; Foundation's encoder does not preserve the order.
/// - Encoding both an object and an array at the same coding path throws an `EncodingError`; Foundation's encoder
///   terminates the program.
/// - Encoding a `Decimal` that is NaN throws an `EncodingError`; Foundation's encoder writes `NaN`, which is not JSON.
///
/// `Docs/DecoderDifferences.md` lists all differences from Foundation's encoder.
///
/// If a member is encoded twice, the document contains it once, with the value that was encoded last.
///
/// You can use one encoder from several threads concurrently. Changing an option affects only calls that begin after
/// the change.
public final class JSONBytesEncoder: Sendable {
  private let shared = Lock(Shared())

  /// The options, and the states of finished calls for reuse.
  private struct Shared {
    var options = EncodingOptions()
    var idle: [EncodingState] = []
  }

  private static let idleLimit = 4
  /// The size in bytes beyond which a state is discarded instead of reused.
  private static let keptBytes = 1 << 20

  /// Creates an encoder with the default options of Foundation's encoder.
  public init() {}

  /// Creates an encoder with the options of the given Foundation encoder.
  public convenience init(like encoder: JSONEncoder) {
    self.init()
    outputFormatting = encoder.outputFormatting
    dateEncodingStrategy = encoder.dateEncodingStrategy
    dataEncodingStrategy = encoder.dataEncodingStrategy
    nonConformingFloatEncodingStrategy = encoder.nonConformingFloatEncodingStrategy
    keyEncodingStrategy = encoder.keyEncodingStrategy
    userInfo = encoder.userInfo
  }

  /// Encodes a value as a whole document in UTF-8. The root of the document can be any JSON value.
  ///
  /// Encoding takes time proportional to the document's length. Sorting members or indenting the document requires one
  /// more pass.
  ///
  /// - Throws: `EncodingError`, or any error thrown while encoding the value.
  public func encode<T: Encodable>(_ value: T) throws -> Data {
    var state = lease()
    defer {
      let isReusable = state.writer.capacity <= Self.keptBytes && !state.shared.hasParts
      // Also after an error: a container that is still in use has to retain the state from now on. It would write to
      // the next document, so such a state is not reused.
      state.reset()
      if !isKnownUniquelyReferenced(&state) { state.endKept() } else if isReusable { giveBack(state) }
    }
    try state.encodeRoot(value)
    return state.document()
  }

  var options: EncodingOptions { shared.withLock(\.options) }

  func update(_ change: (inout EncodingOptions) -> Void) {
    shared.withLock {
      change(&$0.options)
      $0.options.version += 1
    }
  }

  private func lease() -> EncodingState {
    let (idle, version) = shared.withLock { ($0.idle.popLast(), $0.options.version) }
    guard let idle else { return EncodingState(SharedEncodingState(options), root: [], keepsContainers: true) }
    if idle.shared.options.version != version { idle.shared.use(options) }
    return idle
  }

  private func giveBack(_ state: EncodingState) {
    shared.withLock { if $0.idle.count < Self.idleLimit { $0.idle.append(state) } }
  }
}
