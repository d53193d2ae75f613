/// The container requirements that exist once for each scalar type; all of them call one generic method.
extension ValueEncoder {
  func encode(_ value: Bool) throws { try scalar(value) }
  func encode(_ value: String) throws { try scalar(value) }
  func encode(_ value: Double) throws { try scalar(value) }
  func encode(_ value: Float) throws { try scalar(value) }
  func encode(_ value: Int) throws { try scalar(value) }
  func encode(_ value: Int8) throws { try scalar(value) }
  func encode(_ value: Int16) throws { try scalar(value) }
  func encode(_ value: Int32) throws { try scalar(value) }
  func encode(_ value: Int64) throws { try scalar(value) }
  func encode(_ value: Int128) throws { try scalar(value) }
  func encode(_ value: UInt) throws { try scalar(value) }
  func encode(_ value: UInt8) throws { try scalar(value) }
  func encode(_ value: UInt16) throws { try scalar(value) }
  func encode(_ value: UInt32) throws { try scalar(value) }
  func encode(_ value: UInt64) throws { try scalar(value) }
  func encode(_ value: UInt128) throws { try scalar(value) }
}

extension KeyedBytesEncodingContainer {
  func encode(_ value: Bool, forKey key: Key) throws { try scalar(value, key) }
  func encode(_ value: String, forKey key: Key) throws { try scalar(value, key) }
  func encode(_ value: Double, forKey key: Key) throws { try scalar(value, key) }
  func encode(_ value: Float, forKey key: Key) throws { try scalar(value, key) }
  func encode(_ value: Int, forKey key: Key) throws { try scalar(value, key) }
  func encode(_ value: Int8, forKey key: Key) throws { try scalar(value, key) }
  func encode(_ value: Int16, forKey key: Key) throws { try scalar(value, key) }
  func encode(_ value: Int32, forKey key: Key) throws { try scalar(value, key) }
  func encode(_ value: Int64, forKey key: Key) throws { try scalar(value, key) }
  func encode(_ value: Int128, forKey key: Key) throws { try scalar(value, key) }
  func encode(_ value: UInt, forKey key: Key) throws { try scalar(value, key) }
  func encode(_ value: UInt8, forKey key: Key) throws { try scalar(value, key) }
  func encode(_ value: UInt16, forKey key: Key) throws { try scalar(value, key) }
  func encode(_ value: UInt32, forKey key: Key) throws { try scalar(value, key) }
  func encode(_ value: UInt64, forKey key: Key) throws { try scalar(value, key) }
  func encode(_ value: UInt128, forKey key: Key) throws { try scalar(value, key) }
}

extension UnkeyedBytesEncodingContainer {
  func encode(_ value: Bool) throws { try scalar(value) }
  func encode(_ value: String) throws { try scalar(value) }
  func encode(_ value: Double) throws { try scalar(value) }
  func encode(_ value: Float) throws { try scalar(value) }
  func encode(_ value: Int) throws { try scalar(value) }
  func encode(_ value: Int8) throws { try scalar(value) }
  func encode(_ value: Int16) throws { try scalar(value) }
  func encode(_ value: Int32) throws { try scalar(value) }
  func encode(_ value: Int64) throws { try scalar(value) }
  func encode(_ value: Int128) throws { try scalar(value) }
  func encode(_ value: UInt) throws { try scalar(value) }
  func encode(_ value: UInt8) throws { try scalar(value) }
  func encode(_ value: UInt16) throws { try scalar(value) }
  func encode(_ value: UInt32) throws { try scalar(value) }
  func encode(_ value: UInt64) throws { try scalar(value) }
  func encode(_ value: UInt128) throws { try scalar(value) }
}
