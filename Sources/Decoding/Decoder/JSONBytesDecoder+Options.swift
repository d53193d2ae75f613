public import Foundation

extension JSONBytesDecoder {
  /// The strategy for decoding dates. The default is `.deferredToDate`.
  public var dateDecodingStrategy: JSONDecoder.DateDecodingStrategy {
    get { options.dateDecodingStrategy }
    set { update { $0.dateDecodingStrategy = newValue } }
  }

  /// The strategy for decoding `Data` values. The default is `.base64`.
  public var dataDecodingStrategy: JSONDecoder.DataDecodingStrategy {
    get { options.dataDecodingStrategy }
    set { update { $0.dataDecodingStrategy = newValue } }
  }

  /// The strategy for decoding infinity and NaN from strings. The default is `.throw`.
  public var nonConformingFloatDecodingStrategy: JSONDecoder.NonConformingFloatDecodingStrategy {
    get { options.nonConformingFloatDecodingStrategy }
    set { update { $0.nonConformingFloatDecodingStrategy = newValue } }
  }

  /// The strategy for converting names in the document to coding keys. The default is `.useDefaultKeys`.
  ///
  /// The strategy does not apply to the keys of dictionaries.
  public var keyDecodingStrategy: JSONDecoder.KeyDecodingStrategy {
    get { options.keyDecodingStrategy }
    set { update { $0.keyDecodingStrategy = newValue } }
  }

  /// Custom information that is available to decoded types as `Decoder.userInfo`. The dictionary is empty by default.
  public var userInfo: [CodingUserInfoKey: any Sendable] {
    get { options.userInfo }
    set { update { $0.userInfo = newValue } }
  }

  /// How thoroughly the decoder validates the parts of a document that it skips. The default is `.full`.
  public var validation: JSONValidation {
    get { options.validation }
    set { update { $0.validation = newValue } }
  }

  /// Whether half of a surrogate pair in an escape, such as `\ud83d` without its other half, is decoded as U+FFFD, the
  /// replacement character. The default is false, which makes the string that contains it invalid.
  ///
  /// Some programs cut strings in the middle of a character and escape what remains. With this option, strings or names
  /// that differ only in such halves become the same. ``RawJSON`` keeps them as they are.
  public var replacesUnpairedSurrogates: Bool {
    get { options.replacesUnpairedSurrogates }
    set { update { $0.replacesUnpairedSurrogates = newValue } }
  }

  /// The maximum depth to which objects and arrays can be nested, from 1 to 10,000.
  ///
  /// The default is 512, as in Foundation, but 64 on Apple platforms, where dispatch queues and tasks run on threads
  /// with a stack of only 512 KB. Nested types are decoded recursively, so each level that is decoded takes up space on
  /// the stack. Levels in skipped parts take up no space on the stack.
  public var maximumDepth: Int {
    get { options.maximumDepth }
    set { update { $0.maximumDepth = min(max(newValue, 1), 10_000) } }
  }
}

/// How thoroughly to validate the parts of a document that are skipped because they are not decoded.
///
/// Decoded parts are always validated in full.
public enum JSONValidation: Hashable, Sendable {
  /// Validates the grammar, escapes and UTF-8 of skipped parts.
  case full

  /// Tracks only brackets and quotes in skipped parts, which is about twice as fast as full validation. Use this option
  /// for documents that have already been validated.
  ///
  /// With this option, malformed input can go undetected or be reported at a different position, but it never
  /// compromises memory safety.
  case trusted
}
