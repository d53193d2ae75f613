public import Foundation

/// Encodes `Encodable` types straight to the bytes of a JSON document: a drop-in for Foundation's `JSONEncoder`.
///
/// ```swift
/// let encoder = JSONBytesEncoder()
/// encoder.outputFormatting = .sortedKeys
/// let body = try encoder.encode(["title": "Emma", "isbn": "9780000000000"])
/// ```
///
/// It writes each value as it comes, without a tree of the document. Options, types and results are Foundation's, with
/// these differences: members stand in the order in which they were encoded, which Foundation shuffles; two kinds of
/// value in one place, for which Foundation's encoder stops the program, are an `EncodingError`; and so is a `Decimal`
/// that is not a number. `Docs/DecoderDifferences.md` has all of them.
///
/// A member that is encoded twice counts once, with the later value.
///
/// An encoder may be used from several threads at once; a change of its options holds for calls that begin later.
public final class JSONBytesEncoder: Sendable {
  private let shared = Lock(Shared())

  /// Options, and the states of calls that have ended, to be used again.
  private struct Shared {
    var options = EncodingOptions()
    var idle: [EncodingState] = []
  }

  private static let idleLimit = 4
  /// A state that has grown beyond so many bytes is not kept.
  private static let keptBytes = 1 << 20

  /// Creates an encoder with the options that Foundation's encoder begins with.
  public init() {}

  /// Creates an encoder with the options of one of Foundation's.
  public convenience init(like encoder: JSONEncoder) {
    self.init()
    outputFormatting = encoder.outputFormatting
    dateEncodingStrategy = encoder.dateEncodingStrategy
    dataEncodingStrategy = encoder.dataEncodingStrategy
    nonConformingFloatEncodingStrategy = encoder.nonConformingFloatEncodingStrategy
    keyEncodingStrategy = encoder.keyEncodingStrategy
    userInfo = encoder.userInfo
  }

  /// Encodes a value as a whole document in UTF-8, which may be any JSON value.
  ///
  /// Takes time in proportion to the document's length; sorting members and indenting take one more pass.
  ///
  /// - Throws: `EncodingError`, and what encoding the value throws.
  public func encode<T: Encodable>(_ value: T) throws -> Data {
    var state = lease()
    defer {
      let isReusable = state.writer.capacity <= Self.keptBytes && !state.shared.hasParts
      // Also after an error: a container that is still in use has to keep the state from now on. It would write to the
      // next document, so such a state is not used again.
      state.reset()
      if isReusable, isKnownUniquelyReferenced(&state) { giveBack(state) }
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
    let (idle, options) = shared.withLock { ($0.idle.popLast(), $0.options) }
    guard let idle else { return EncodingState(SharedEncodingState(options), root: [], keepsContainers: true) }
    if idle.shared.options.version != options.version { idle.shared.use(options) }
    return idle
  }

  private func giveBack(_ state: EncodingState) {
    shared.withLock { if $0.idle.count < Self.idleLimit { $0.idle.append(state) } }
  }
}
