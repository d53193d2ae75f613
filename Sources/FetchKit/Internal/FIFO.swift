/// A queue on an array. Appending and removing the first element take amortized constant time.
struct FIFO<Element> {
  /// Nil where an element was removed.
  private var elements: [Element?] = []
  private var head = 0

  var first: Element? { head < elements.count ? elements[head] : nil }
  var isEmpty: Bool { head == elements.count }

  mutating func append(_ element: Element) {
    elements.append(element)
  }

  mutating func popFirst() -> Element? {
    guard let first else { return nil }
    elements[head] = nil
    head += 1
    if head == elements.count || head > 32 && head * 2 > elements.count {
      elements.removeFirst(head)
      head = 0
    }
    return first
  }
}
