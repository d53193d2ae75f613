extension FetchDescriptor {
  /// Creates a request for the objects that match a search text, sorted from the best match to the worst.
  ///
  /// - Parameters:
  ///   - type: The class of the objects.
  ///   - text: The text to search for.
  ///   - weights: The weight of each searchable attribute in the ranking. The default weight is 1.
  ///   - condition: A condition that the objects must match in addition to the text.
  ///   - limit: The maximum number of objects, or nil for all.
  ///   - offset: The number of objects to skip, beginning with the best match.
  public init(
    _ type: Object.Type = Object.self, searching text: SearchText, weights: [SearchWeight<Object>] = [],
    where condition: (Row<Object>) -> Query<Object> = { _ in .all }, limit: Int? = nil, offset: Int = 0
  ) {
    self.init(
      type, where: { $0.matches(text) && condition($0) }, sort: [.bestMatch(for: text, weights: weights)],
      limit: limit, offset: offset)
  }
}
