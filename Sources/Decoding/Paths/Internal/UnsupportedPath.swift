/// Reports that a path is valid but cannot be evaluated where it is used.
struct UnsupportedPath: Error, CustomStringConvertible {
  var path: JSONPath
  var reason: String

  var description: String { "\(path): \(reason)" }
}
