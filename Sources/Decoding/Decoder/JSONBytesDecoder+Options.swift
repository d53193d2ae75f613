public import Foundation

extension JSONBytesDecoder {
  /// How dates are written; `.deferredToDate` at first.
  public var dateDecodingStrategy: JSONDecoder.DateDecodingStrategy {
    get { options.dateDecodingStrategy }
    set { update { $0.dateDecodingStrategy = newValue } }
  }

  /// How `Data` is written; `.base64` at first.
  public var dataDecodingStrategy: JSONDecoder.DataDecodingStrategy {
    get { options.dataDecodingStrategy }
    set { update { $0.dataDecodingStrategy = newValue } }
  }

  /// What is read as infinity or no number; `.throw` at first.
  public var nonConformingFloatDecodingStrategy: JSONDecoder.NonConformingFloatDecodingStrategy {
    get { options.nonConformingFloatDecodingStrategy }
    set { update { $0.nonConformingFloatDecodingStrategy = newValue } }
  }

  /// How the names in the document become those of coding keys; `.useDefaultKeys` at first.
  ///
  /// Names in dictionaries stay as they are.
  public var keyDecodingStrategy: JSONDecoder.KeyDecodingStrategy {
    get { options.keyDecodingStrategy }
    set { update { $0.keyDecodingStrategy = newValue } }
  }

  /// What decoded types find in `Decoder.userInfo`; empty at first.
  public var userInfo: [CodingUserInfoKey: any Sendable] {
    get { options.userInfo }
    set { update { $0.userInfo = newValue } }
  }

  /// How the parts are checked that no type asks for; `.full` at first.
  public var validation: JSONValidation {
    get { options.validation }
    set { update { $0.validation = newValue } }
  }

  /// How many containers may be open inside each other: 512 at first, as in Foundation; 1 to 10 000.
  ///
  /// What is passed over uses no stack, but each level that is decoded does (a type's own recursion).
  public var maximumDepth: Int {
    get { options.maximumDepth }
    set { update { $0.maximumDepth = min(max(newValue, 1), 10_000) } }
  }
}
