public import Foundation

extension JSONBytesEncoder {
  /// How the document is laid out: indented, members sorted by the bytes of their names, slashes without escape; as
  /// short as can be at first, with escaped slashes.
  public var outputFormatting: JSONEncoder.OutputFormatting {
    get { options.outputFormatting }
    set { update { $0.outputFormatting = newValue } }
  }

  /// How dates are written; `.deferredToDate` at first.
  public var dateEncodingStrategy: JSONEncoder.DateEncodingStrategy {
    get { options.dateEncodingStrategy }
    set { update { $0.dateEncodingStrategy = newValue } }
  }

  /// How `Data` is written; `.base64` at first.
  public var dataEncodingStrategy: JSONEncoder.DataEncodingStrategy {
    get { options.dataEncodingStrategy }
    set { update { $0.dataEncodingStrategy = newValue } }
  }

  /// What is written for infinity and for what is no number; `.throw` at first.
  public var nonConformingFloatEncodingStrategy: JSONEncoder.NonConformingFloatEncodingStrategy {
    get { options.nonConformingFloatEncodingStrategy }
    set { update { $0.nonConformingFloatEncodingStrategy = newValue } }
  }

  /// How coding keys become names in the document; `.useDefaultKeys` at first.
  ///
  /// Names in dictionaries with `String` keys stay as they are.
  public var keyEncodingStrategy: JSONEncoder.KeyEncodingStrategy {
    get { options.keyEncodingStrategy }
    set { update { $0.keyEncodingStrategy = newValue } }
  }

  /// What encoded types find in `Encoder.userInfo`; empty at first.
  public var userInfo: [CodingUserInfoKey: any Sendable] {
    get { options.userInfo }
    set { update { $0.userInfo = newValue } }
  }
}
