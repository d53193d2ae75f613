public import Foundation

extension JSONBytesDecoder {
  /// Decodes a value of a type that takes a configuration from a whole document.
  ///
  /// - Throws: ``DecodingFailure``. An error that the decoded type throws itself is its `underlyingError`.
  public func decode<T: DecodableWithConfiguration>(
    _ type: T.Type, from data: Data, configuration: T.DecodingConfiguration
  ) throws(DecodingFailure) -> T {
    try withUTF8(of: data) { (text) throws(DecodingFailure) in
      try withState(TextPart(text: text)) { state, part in
        try state.decode(part) { value, place in
          try state.decodeInside(value, place) { decoder in
            try state.noting(type, decoder) { try T(from: $0, configuration: configuration) }
          }
        }
      }
    }
  }

  /// Decodes a value of a type that takes a configuration from a whole document; a type provides the configuration.
  ///
  /// - Throws: ``DecodingFailure``. An error that the decoded type throws itself is its `underlyingError`.
  public func decode<T: DecodableWithConfiguration, Provider: DecodingConfigurationProviding>(
    _ type: T.Type, from data: Data, configuration: Provider.Type
  ) throws(DecodingFailure) -> T where T.DecodingConfiguration == Provider.DecodingConfiguration {
    try decode(type, from: data, configuration: Provider.decodingConfiguration)
  }
}
