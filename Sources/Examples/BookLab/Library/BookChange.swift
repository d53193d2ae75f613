/// What has become of a book in the library.
enum BookChange: String, Sendable {
  case added, updated, removed
}

/// Is told of every change of a library.
protocol BookListener: AnyObject, Sendable {
  func book(_ book: BookData, was change: BookChange)
}
