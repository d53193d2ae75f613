/// A value that a path has selected in a document: where it is, and what it is when it is decoded.
///
/// ```swift
/// for node in try document.nodes(at: "$..price") {
///   print(node.path, node.range, try node.decode(Double.self))
/// }
/// ```
///
/// The nodes of one call share what they know of the document; each keeps the document in memory.
public struct JSONNode: Sendable {
  let table: NodeTable
  /// The value's place in the table.
  let place: Int

  /// The normalized path of the value (RFC 9535 §2.7), which selects it and nothing else.
  ///
  /// One exception: of members with the same name the path selects the first. Costs time in proportion to its length.
  public var path: JSONPath { table.path(of: place) }

  /// Where the value is in the document's bytes: as UTF-8, without a byte order mark and without blanks around it.
  public var range: Range<Int> { table.range(of: place) }

  /// The value's own bytes, in memory of their own.
  public var raw: RawJSON { RawJSON(checked: table.bytes(of: place)) }

  /// Decodes the value with the options of the document's decoder.
  ///
  /// - Throws: ``DecodingFailure``, whose path and position are the document's.
  public func decode<T: Decodable>(_ type: T.Type = T.self) throws(DecodingFailure) -> T {
    try table.decode(type, place)
  }
}
