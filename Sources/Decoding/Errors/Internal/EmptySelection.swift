/// Reports that a path with a filter, slice or wildcard selects nothing below the value of a `DecodingError`.
struct EmptySelection: Error, CustomStringConvertible {
  let path: JSONPath

  var description: String { "\(path) selects nothing." }
}
