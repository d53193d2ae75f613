extension NestedRoot {
  /// The first object that lies behind an everyday filter and has the key.
  ///
  /// It answers where the list is one of objects, the compared members are texts, and names lead on from them. All else is
  /// unclear, and left to the way that evaluates any path, which looks again and says what is wrong.
  func object(behind filter: TextFilter, with key: AnyKey, strictly: Bool) -> Found<NestedObject> {
    guard let object, let names = filter.list.names, let list = names.last, let rest = filter.restNames else {
      return .unclear
    }
    do {
      guard let holder = try object.objectIfPresent(at: names.dropLast()),
        let elements = try holder.listIfPresent(forKey: list)
      else { return strictly ? .unclear : .absent }
      var index = 0
      while let element = try elements.object(index) {
        index += 1
        guard try filter.lets(through: element), let found = try element.objectIfPresent(at: rest) else { continue }
        if found.container.contains(key) { return .value(found) }
      }
      return .absent
    } catch {
      return .unclear
    }
  }
}

extension TextFilter {
  /// Whether the object has the text under the name.
  fileprivate func lets(through object: NestedObject) throws -> Bool {
    try object.container.decodeIfPresent(String.self, forKey: key)?.hasSameBytes(as: text.text) ?? false
  }
}
