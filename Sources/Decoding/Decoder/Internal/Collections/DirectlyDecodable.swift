/// A collection that is decoded without the containers of `Codable`.
protocol DirectlyDecodable {
  /// Decodes the value at `value`, whose node is `node`, and returns the collection as its single reference.
  static func decodeDirectly(_ state: DecodingState, _ value: UInt32, _ node: Int) throws -> AnyObject
}

typealias DecodingTypes = TypeCache<any DirectlyDecodable.Type>
