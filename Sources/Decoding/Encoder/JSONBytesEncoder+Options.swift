public import Foundation

extension JSONBytesEncoder {
  /// The layout of the document, with options for indenting it, for sorting members by the bytes of their names, and
  /// for leaving slashes unescaped. By default, the document is compact, with escaped slashes.
  public var outputFormatting: JSONEncoder.OutputFormatting {
    get { options.outputFormatting }
    set { update { $0.outputFormatting = newValue } }
  }

  /// How dates are encoded. The default is `.deferredToDate`.
  public var dateEncodingStrategy: JSONEncoder.DateEncodingStrategy {
    get { options.dateEncodingStrategy }
    set { update { $0.dateEncodingStrategy = newValue } }
  }

  /// How `Data` is encoded. The default is `.base64`.
  public var dataEncodingStrategy: JSONEncoder.DataEncodingStrategy {
    get { options.dataEncodingStrategy }
    set { update { $0.dataEncodingStrategy = newValue } }
  }

  /// How infinity and NaN are encoded. The default is `.throw`.
  public var nonConformingFloatEncodingStrategy: JSONEncoder.NonConformingFloatEncodingStrategy {
    get { options.nonConformingFloatEncodingStrategy }
    set { update { $0.nonConformingFloatEncodingStrategy = newValue } }
  }

  /// How coding keys are converted to names in the document. The default is `.useDefaultKeys`.
  ///
  /// Dictionary keys of type `String` are not converted.
  public var keyEncodingStrategy: JSONEncoder.KeyEncodingStrategy {
    get { options.keyEncodingStrategy }
    set { update { $0.keyEncodingStrategy = newValue } }
  }

  /// The dictionary that encoded types receive as `Encoder.userInfo`. It is empty by default.
  public var userInfo: [CodingUserInfoKey: any Sendable] {
    get { options.userInfo }
    set { update { $0.userInfo = newValue } }
  }
}
