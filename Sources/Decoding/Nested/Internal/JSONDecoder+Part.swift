internal import Foundation

/// The steps to the part of a document that Foundation's decoder receives, for the paths of dropped values.
///
/// They are in the `userInfo`, because a decoder that receives only a part of a document knows nothing of the rest. The
/// user's decoder stays unchanged: other threads may be using it.
extension JSONDecoder {
  /// Returns a decoder with the same options that knows the steps to its part; a subclass may decode in its own way, so
  /// it is used itself.
  func decoding(partAt steps: [PathStep]) -> JSONDecoder {
    guard let key = partKey, !steps.isEmpty || userInfo[key] != nil, Swift.type(of: self) == JSONDecoder.self else {
      return self
    }
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = dateDecodingStrategy
    decoder.dataDecodingStrategy = dataDecodingStrategy
    decoder.nonConformingFloatDecodingStrategy = nonConformingFloatDecodingStrategy
    decoder.keyDecodingStrategy = keyDecodingStrategy
    decoder.userInfo = userInfo
    decoder.userInfo[key] = steps
    return decoder
  }
}

extension Decoder {
  /// The steps to the part of the document that is being decoded, if it is not all of it.
  var stepsToPart: [PathStep] { partKey.flatMap { userInfo[$0] as? [PathStep] } ?? [] }
}

private let partKey = CodingUserInfoKey(rawValue: "Decoding.stepsToPart")
