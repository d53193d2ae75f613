/// A collection that is decoded without the containers of `Codable`.
protocol DirectlyDecodable {
  /// Decodes the value at `value`, whose node is `node`, and answers the collection as the one reference that it is.
  static func decodeDirectly(_ state: DecodingState, _ value: UInt32, _ node: Int) throws -> AnyObject
}
