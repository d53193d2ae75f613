/// What waits for a consumer who takes one after the other: at most `limit` elements, which become one when another
/// comes.
struct CollapsingBuffer<Element> {
  private var waiting: [Element] = []
  private let limit: Int

  init(limit: Int) { self.limit = max(1, limit) }

  /// - Parameter collapse: makes one of all of them.
  mutating func append(_ element: Element, collapse: ([Element]) -> Element) {
    waiting.append(element)
    if waiting.count > limit { waiting = [collapse(waiting)] }
  }

  /// Puts an element before all others.
  mutating func prepend(_ element: Element) { waiting.insert(element, at: 0) }

  mutating func take() -> Element? { waiting.isEmpty ? nil : waiting.removeFirst() }
}
