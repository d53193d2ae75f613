public import Foundation

extension JSONBytesDecoder {
  /// Decodes a whole document as a value of the given type, using a decoding configuration.
  ///
  /// - Throws: ``LocatedDecodingError``. If the type's initializer throws an error of its own, the `underlyingError`
  ///   property contains that error.
  public func decode<T: DecodableWithConfiguration>(
    _ type: T.Type, from data: Data, configuration: T.DecodingConfiguration
  ) throws(LocatedDecodingError) -> T {
    try withUTF8(of: data) { (text) throws(LocatedDecodingError) in
      try withState(TextPart(text: text)) { state, part in
        try state.decode(part) { value, place in
          try state.decodeInside(value, place) { decoder in
            try state.noting(type, decoder) { try T(from: $0, configuration: configuration) }
          }
        }
      }
    }
  }

  /// Decodes a whole document as a value of the given type, using the configuration that another type provides.
  ///
  /// - Throws: ``LocatedDecodingError``. If the type's initializer throws an error of its own, the `underlyingError`
  ///   property contains that error.
  public func decode<T: DecodableWithConfiguration, Provider: DecodingConfigurationProviding>(
    _ type: T.Type, from data: Data, configuration: Provider.Type
  ) throws(LocatedDecodingError) -> T where T.DecodingConfiguration == Provider.DecodingConfiguration {
    try decode(type, from: data, configuration: Provider.decodingConfiguration)
  }
}
