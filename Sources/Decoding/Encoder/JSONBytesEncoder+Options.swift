public import Foundation

extension JSONBytesEncoder {
  /// The format of the document: whether it is indented, whether members are sorted by the bytes of their names, and
  /// whether slashes are left unescaped. By default, the document is compact and slashes are escaped.
  public var outputFormatting: JSONEncoder.OutputFormatting {
    get { options.outputFormatting }
    set { update { $0.outputFormatting = newValue } }
  }

  /// How dates are encoded. The default is `.deferredToDate`.
  public var dateEncodingStrategy: JSONEncoder.DateEncodingStrategy {
    get { options.dateEncodingStrategy }
    set { update { $0.dateEncodingStrategy = newValue } }
  }

  /// How `Data` values are encoded. The default is `.base64`.
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

  /// Custom information that is available to encoded types as `Encoder.userInfo`. The dictionary is empty by default.
  public var userInfo: [CodingUserInfoKey: any Sendable] {
    get { options.userInfo }
    set { update { $0.userInfo = newValue } }
  }
}
