public import Foundation

extension JSONBytesDecoder {
  /// How dates are decoded. The default is `.deferredToDate`.
  public var dateDecodingStrategy: JSONDecoder.DateDecodingStrategy {
    get { options.dateDecodingStrategy }
    set { update { $0.dateDecodingStrategy = newValue } }
  }

  /// How `Data` is decoded. The default is `.base64`.
  public var dataDecodingStrategy: JSONDecoder.DataDecodingStrategy {
    get { options.dataDecodingStrategy }
    set { update { $0.dataDecodingStrategy = newValue } }
  }

  /// How infinity and NaN are decoded from strings. The default is `.throw`.
  public var nonConformingFloatDecodingStrategy: JSONDecoder.NonConformingFloatDecodingStrategy {
    get { options.nonConformingFloatDecodingStrategy }
    set { update { $0.nonConformingFloatDecodingStrategy = newValue } }
  }

  /// How names in the document are converted to coding keys. The default is `.useDefaultKeys`.
  ///
  /// Dictionary keys are not converted.
  public var keyDecodingStrategy: JSONDecoder.KeyDecodingStrategy {
    get { options.keyDecodingStrategy }
    set { update { $0.keyDecodingStrategy = newValue } }
  }

  /// The dictionary that decoded types receive as `Decoder.userInfo`. It is empty by default.
  public var userInfo: [CodingUserInfoKey: any Sendable] {
    get { options.userInfo }
    set { update { $0.userInfo = newValue } }
  }

  /// How thoroughly skipped parts of a document are validated. The default is `.full`.
  public var validation: JSONValidation {
    get { options.validation }
    set { update { $0.validation = newValue } }
  }

  /// The maximum nesting depth of containers, from 1 to 10,000.
  ///
  /// The default is 512, as in Foundation. On Apple platforms it is 64, because queues and tasks run on threads with a
  /// stack of only 512 KB. Skipped parts use no stack, but each decoded level does, because nested types are decoded
  /// recursively.
  public var maximumDepth: Int {
    get { options.maximumDepth }
    set { update { $0.maximumDepth = min(max(newValue, 1), 10_000) } }
  }
}

/// How thoroughly to validate the parts of a document that are skipped without being decoded.
///
/// Decoded parts are always validated in full.
public enum JSONValidation: Hashable, Sendable {
  /// Validates the grammar, escapes and UTF-8 of skipped parts.
  case full

  /// Tracks only brackets and quotes, which is about twice as fast. Use it for documents that have already been
  /// validated.
  ///
  /// With this option, malformed input can go undetected or be reported at a different position, but it never
  /// compromises memory safety.
  case trusted
}
