internal import Foundation

/// What a decoder is told about how to decode.
struct DecodingOptions: Sendable {
  var dateDecodingStrategy = JSONDecoder.DateDecodingStrategy.deferredToDate
  var dataDecodingStrategy = JSONDecoder.DataDecodingStrategy.base64
  var nonConformingFloatDecodingStrategy = JSONDecoder.NonConformingFloatDecodingStrategy.throw
  var keyDecodingStrategy = JSONDecoder.KeyDecodingStrategy.useDefaultKeys
  var userInfo: [CodingUserInfoKey: any Sendable] = [:]
  var validation = JSONValidation.full
  var maximumDepth = 512
  /// Counts the changes, so that a state that is used again knows whether its options still are the decoder's.
  var version = 0

  var convertsKeys: Bool {
    if case .useDefaultKeys = keyDecodingStrategy { return false }
    return true
  }
}
