internal import Foundation

struct DecodingOptions: Sendable {
  var dateDecodingStrategy = JSONDecoder.DateDecodingStrategy.deferredToDate
  var dataDecodingStrategy = JSONDecoder.DataDecodingStrategy.base64
  var nonConformingFloatDecodingStrategy = JSONDecoder.NonConformingFloatDecodingStrategy.throw
  var keyDecodingStrategy = JSONDecoder.KeyDecodingStrategy.useDefaultKeys
  var userInfo: [CodingUserInfoKey: any Sendable] = [:]
  var validation = JSONValidation.full
  var replacesUnpairedSurrogates = false
  var maximumDepth = Self.defaultDepth
  /// Counts the changes, so that a reused state shows whether its options are still the decoder's.
  var version = 0

  #if canImport(Darwin)
  static let defaultDepth = depthOnSmallStacks
  #else
  static let defaultDepth = 512
  #endif

  /// The default on Apple's platforms, where the threads of queues and tasks have a stack of 512 KB.
  static let depthOnSmallStacks = 64

  var convertsKeys: Bool { keyDecodingStrategy.convertsNames }
}
