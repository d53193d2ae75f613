extension NestedCodingKey where Self: CaseIterable {
  /// Checks the paths of all cases, which are otherwise checked when each is first used.
  ///
  /// ```swift
  /// struct Film: Codable {
  ///   var title: String
  ///
  ///   enum CodingKeys: String, NestedCodingKey, CaseIterable {
  ///     case title = "data.title"
  ///   }
  /// }
  ///
  /// try Film.CodingKeys.checkPaths(forEncoding: true)  // in a test
  /// ```
  ///
  /// Decoders other than ``JSONBytesDecoder`` also refuse `..` and some filters, which is not checked.
  ///
  /// - Parameter forEncoding: Whether to check also that values can be encoded at the paths. This requires paths that
  ///   consist of names only, and no path that is equal to another one or leads to a value inside another one.
  /// - Throws: ``JSONPathError`` for the first case whose path is invalid or cannot be used.
  public static func checkPaths(forEncoding: Bool = false) throws(JSONPathError) {
    var paths: [[AnyKey]] = []
    for key in allCases {
      let path = try key.path.validated()
      func failure(_ reason: String) -> JSONPathError { JSONPathError(path: key.rawValue, column: 1, reason: reason) }
      let starts = key.entry.alternatives.isEmpty ? [path.compiled] : key.entry.alternatives
      for start in starts {
        guard case .name? = start.prefixSteps.first else {
          throw failure("the path of a coding key must start with a name")
        }
      }
      guard forEncoding else { continue }
      guard let prefix = key.entry.prefix?.names else {
        throw failure("a path for encoding must consist of only names")
      }
      let names = prefix + [key.entry.last]
      if let index = paths.firstIndex(where: { $0.starts(with: names) || names.starts(with: $0) }) {
        let other = allCases[allCases.index(allCases.startIndex, offsetBy: index)].rawValue
        throw failure("the path for encoding overlaps with that of another key, `\(other)`")
      }
      paths.append(names)
    }
  }
}
