/// The names of the members that a dictionary is made of, in the order of the text.
struct MemberNames {
  private(set) var all: [String] = []
  /// The same, from the first time on that one is looked for: only values that cannot be decoded have that done.
  private var lookup: Set<String>?

  mutating func append(_ name: String) {
    all.append(name)
    if lookup != nil { lookup?.insert(name) }
  }

  mutating func contains(_ name: String) -> Bool {
    let names = lookup ?? Set(all)
    lookup = names
    return names.contains(name)
  }
}
