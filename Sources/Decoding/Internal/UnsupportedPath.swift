/// Says that a path is right, but asks what cannot be answered where it is used.
struct UnsupportedPath: Error, CustomStringConvertible {
  var path: JSONPath
  var reason: String

  var description: String { "\(path): \(reason)" }
}
