/// A check that failed.
struct StormError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
