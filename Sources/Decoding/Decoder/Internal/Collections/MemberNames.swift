/// The names of the members that a dictionary is made of, in the order of the text.
struct MemberNames {
  private(set) var all: [String] = []
  /// The same names as a set, made by the first lookup: names are looked up only after a value could not be decoded.
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
