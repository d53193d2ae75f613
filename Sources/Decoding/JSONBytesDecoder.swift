public import Foundation

/// Decodes `Decodable` types straight from the bytes of a JSON document: a drop-in for Foundation's `JSONDecoder`.
///
/// ```swift
/// let decoder = JSONBytesDecoder()
/// decoder.keyDecodingStrategy = .convertFromSnakeCase
/// let movie = try decoder.decode(Movie.self, from: data)
/// ```
///
/// It reads the document once and in place, without a map of it and without dictionaries of its objects, and so takes a
/// fifth of the time for objects as web services send them, and a tenth or less for arrays of numbers. Options, types
/// and results are Foundation's; errors say more (``DecodingFailure``), and `Docs/DecoderDifferences.md` lists where
/// results differ, and why.
///
/// Of members with the same name the first one counts. Documents of 4 GiB and more are refused.
///
/// A decoder may be used from several threads at once; a change of its options holds for calls that begin later.
public final class JSONBytesDecoder: Sendable {
  private let shared: Lock<Shared>

  /// Options, and the states of decodes that have ended, to be used again.
  private struct Shared {
    var options = DecodingOptions()
    var idle: [DecodingState] = []
  }

  private static let idleLimit = 4

  /// Creates a decoder with the options that Foundation's decoder begins with.
  public init() {
    shared = Lock(Shared())
  }

  /// Creates a decoder with the options of one of Foundation's.
  ///
  /// `allowsJSON5` and `assumesTopLevelDictionary` have no counterpart here and are left aside.
  public convenience init(like decoder: JSONDecoder) {
    self.init()
    dateDecodingStrategy = decoder.dateDecodingStrategy
    dataDecodingStrategy = decoder.dataDecodingStrategy
    nonConformingFloatDecodingStrategy = decoder.nonConformingFloatDecodingStrategy
    keyDecodingStrategy = decoder.keyDecodingStrategy
    userInfo = decoder.userInfo
  }

  /// Decodes a value from a whole document, which may be any JSON value.
  ///
  /// The document may be in UTF-8, UTF-16 or UTF-32, with or without a byte order mark. Takes time in proportion to its
  /// length, whatever it holds.
  ///
  /// - Throws: ``DecodingFailure``. An error that the decoded type throws itself is its `underlyingError`.
  public func decode<T: Decodable>(_ type: T.Type = T.self, from data: Data) throws(DecodingFailure) -> T {
    try withUTF8(of: data) { (text) throws(DecodingFailure) in try decodeDocument(type, text) }
  }

  /// Decodes a value from a whole document, as the method for `Data` does.
  ///
  /// - Throws: ``DecodingFailure``. An error that the decoded type throws itself is its `underlyingError`.
  public func decode<T: Decodable>(_ type: T.Type = T.self, from bytes: [UInt8]) throws(DecodingFailure) -> T {
    try bytes.withUnsafeBufferPointer { (bytes) throws(DecodingFailure) in
      let text = ByteView(UnsafeRawBufferPointer(bytes))
      if text.mayNeedConversion { return try decode(type, from: Data(bytes)) }
      return try decodeDocument(type, text)
    }
  }

  var options: DecodingOptions { shared.withLock { $0.options } }

  func update(_ change: (inout DecodingOptions) -> Void) {
    // Nothing of a user's runs in there: the strategies' closures are stored, not called.
    shared.withLock {
      change(&$0.options)
      $0.options.version += 1
    }
  }

  /// A state for one call, with the options as they are now.
  func lease() -> DecodingState {
    let (idle, changed) = shared.withLock { shared in
      let idle = shared.idle.popLast()
      return (idle, idle?.options.version == shared.options.version ? nil : shared.options)
    }
    let state = idle ?? DecodingState()
    if let changed { state.use(changed) }
    return state
  }

  func giveBack(_ state: DecodingState) {
    shared.withLock { if $0.idle.count < Self.idleLimit { $0.idle.append(state) } }
  }
}
