extension JSONValue {
  /// Whether it is null.
  public var isNull: Bool { if case .null = self { true } else { false } }

  /// The boolean; nil where it is none.
  public var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }

  /// The number; nil where it is none.
  public var number: JSONNumber? { if case .number(let number) = self { number } else { nil } }

  /// The number as an integer; nil where it is no number, or no integer that fits.
  public var int: Int? { number?.int }

  /// The double nearest to the number; nil where it is no number.
  public var double: Double? { number?.double }

  /// The string; nil where it is none.
  public var string: String? { if case .string(let string) = self { string } else { nil } }

  /// The array; nil where it is none.
  public var array: JSONArray? { if case .array(let array) = self { array } else { nil } }

  /// The object; nil where it is none.
  public var object: JSONObject? { if case .object(let object) = self { object } else { nil } }

  /// The member of that name; nil where there is none, or this is no object.
  ///
  /// Assigning replaces the member, or adds it at the end; nil removes it. In a value that is no object nothing
  /// changes.
  public subscript(name: String) -> JSONValue? {
    get { object?[name] }
    _modify {
      guard case .object(var object) = self else {
        var nothing: JSONValue?
        yield &nothing
        return
      }
      // The object is taken out for as long as it changes, so that it need not be copied.
      self = .null
      defer { self = .object(object) }
      yield &object[name]
    }
  }

  /// The element at an index; nil where there is none, or this is no array.
  ///
  /// Assigning replaces the element; nil removes it. Where there is no such element nothing changes.
  public subscript(index: Int) -> JSONValue? {
    get {
      guard let array, array.indices.contains(index) else { return nil }
      return array[index]
    }
    _modify {
      guard case .array(var array) = self, array.indices.contains(index) else {
        var nothing: JSONValue?
        yield &nothing
        return
      }
      self = .null
      defer { self = .array(array) }
      var taken = JSONValue.null
      array.exchange(&taken, at: index)
      var element: JSONValue? = taken
      taken = .null
      defer {
        if let element { array[index] = element } else { array.remove(at: index) }
      }
      yield &element
    }
  }
}
