/// A coding key of a location in a document. It has three words, so it fits into an existential without an allocation.
struct PathKey: CodingKey {
  private let name: String
  /// The index of an element, or -1 for a member.
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
