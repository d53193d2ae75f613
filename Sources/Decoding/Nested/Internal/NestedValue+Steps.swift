extension NestedValue {
  /// Returns the value that the steps lead to, or nil if one on the way is missing or null. A null at the end is a
  /// value.
  func follow(_ steps: [PathStep]) throws -> NestedValue? {
    var value = self
    for step in steps {
      do {
        guard let child = try value.child(at: step) else { return nil }
        value = child
      } catch {
        // Checked only here, because the value is almost always of the right kind.
        if try value.isNull { return nil }
        throw error
      }
    }
    return value
  }

  /// Returns the value that the steps lead to, which must exist.
  func followStrictly(_ steps: [PathStep]) throws -> NestedValue {
    var value = self
    for step in steps {
      guard let child = try value.child(at: step) else {
        throw DecodingError.keyNotFound(AnyKey(step), at: value.codingPath)
      }
      value = child
    }
    return value
  }

  func openObjectIfPresent() throws -> NestedObject? {
    do {
      return try openObject()
    } catch {
      if try isNull { return nil }
      throw error
    }
  }

  private func child(at step: PathStep) throws -> NestedValue? {
    switch step {
    case .name(let name): try member(AnyKey(stringValue: name.text))
    case .index(let index): try openArray().element(index)
    }
  }
}

extension AnyKey {
  init(_ step: PathStep) {
    switch step {
    case .name(let name): self.init(stringValue: name.text)
    case .index(let index): self.init(intValue: index)
    }
  }
}
