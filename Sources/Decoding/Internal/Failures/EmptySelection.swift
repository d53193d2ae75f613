/// Says that a path with a filter, slice or wildcard selects nothing below the value that a `DecodingError` is about.
struct EmptySelection: Error, CustomStringConvertible {
  let path: JSONPath

  var description: String { "\(path) selects nothing." }
}
