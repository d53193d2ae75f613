/// How a book in the library has changed.
enum BookChange: String, Sendable {
  case added, updated, removed
}

/// Receives every change of a library.
protocol BookListener: AnyObject, Sendable {
  func book(_ book: BookData, was change: BookChange)
}
