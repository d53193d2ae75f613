/// A queue of elements for a slow consumer. It contains at most `limit` elements. If another one is added, all of them
/// are collapsed into one.
struct CollapsingBuffer<Element> {
  private var waiting: [Element] = []
  private let limit: Int

  init(limit: Int) { self.limit = max(1, limit) }

  /// - Parameter collapse: Combines all elements into one.
  mutating func append(_ element: Element, collapse: ([Element]) -> Element) {
    waiting.append(element)
    if waiting.count > limit { waiting = [collapse(waiting)] }
  }

  /// Inserts an element before all others.
  mutating func prepend(_ element: Element) { waiting.insert(element, at: 0) }

  mutating func take() -> Element? { waiting.isEmpty ? nil : waiting.removeFirst() }
}
