internal import Foundation

struct EncodingOptions: Sendable {
  var outputFormatting: JSONEncoder.OutputFormatting = []
  var dateEncodingStrategy = JSONEncoder.DateEncodingStrategy.deferredToDate
  var dataEncodingStrategy = JSONEncoder.DataEncodingStrategy.base64
  var nonConformingFloatEncodingStrategy = JSONEncoder.NonConformingFloatEncodingStrategy.throw
  var keyEncodingStrategy = JSONEncoder.KeyEncodingStrategy.useDefaultKeys
  var userInfo: [CodingUserInfoKey: any Sendable] = [:]
  /// Counts the changes, so that a reused state shows whether its options are still the encoder's.
  var version = 0

  var convertsKeys: Bool { if case .useDefaultKeys = keyEncodingStrategy { false } else { true } }
}
