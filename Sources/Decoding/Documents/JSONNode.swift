internal import Foundation

/// A value that a path selected in a document. A node provides the value's location and can decode the value.
///
/// ```swift
/// for node in try document.nodes(at: "$..price") {
///   print(node.path, node.range, try node.decode(Double.self))
/// }
/// ```
///
/// All nodes that one call returns share the document and a table of locations. As long as one of these nodes exists,
/// the document and the table remain in memory.
public struct JSONNode: Sendable {
  let table: NodeTable
  /// The value's index in the table.
  let index: Int

  /// The normalized path of the value (RFC 9535 §2.7), which selects only this value.
  ///
  /// If several members of an object have the same name, however, their paths are equal, and select only the first of
  /// these members. If a name contains an unpaired surrogate, the path selects the value, but the path's description
  /// cannot be parsed as a path. Creating the path takes time proportional to its length.
  public var path: JSONPath { table.path(of: index) }

  /// The value's byte range in the UTF-8 document, excluding the whitespace around the value. A byte order mark is not
  /// counted.
  public var range: Range<Int> { Int(table.values[index].start)..<Int(table.values[index].end) }

  /// A copy of the value's bytes.
  public var raw: RawJSON {
    table.document.data.withByteView { RawJSON(checked: Data($0.buffer(range.lowerBound, range.upperBound))) }
  }

  /// Decodes the value with the options of the document's decoder.
  ///
  /// - Throws: ``LocatedDecodingError``, whose path and position refer to the whole document, not only to the value.
  public func decode<T: Decodable>(_ type: T.Type = T.self) throws(LocatedDecodingError) -> T {
    try table.document.withState { state, part in
      part.start = range.lowerBound
      part.origin = .match(depth: table.steps(to: index).count)
      return try state.decode(type, part)
    }
  }
}
