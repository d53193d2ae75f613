/// A coding key of a place in a document: three words, so that it fits into an existential without an allocation.
struct PathKey: CodingKey {
  private let name: String
  /// Zero or more for an element, -1 for a member.
  private let index: Int

  init(_ name: String) {
    self.name = name
    index = -1
  }

  init(index: Int) {
    name = ""
    self.index = index
  }

  init(_ step: PathStep) {
    switch step {
    case .name(let name): self.init(name.text)
    case .index(let index): self.init(index: index)
    }
  }

  init?(stringValue: String) { self.init(stringValue) }

  init?(intValue: Int) { self.init(index: intValue) }

  var stringValue: String { index < 0 ? name : "Index \(index)" }

  var intValue: Int? { index < 0 ? nil : index }
}
