extension JSONValue {
  /// Whether the value is null.
  public var isNull: Bool { if case .null = self { true } else { false } }

  /// The boolean, or nil if the value is not a boolean.
  public var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }

  /// The number, or nil if the value is not a number.
  public var number: JSONNumber? { if case .number(let number) = self { number } else { nil } }

  /// The number as an integer, or nil if the value is not a number, is not an integer, or does not fit into an `Int`.
  public var int: Int? { number?.int }

  /// The double nearest to the number, or nil if the value is not a number.
  public var double: Double? { number?.double }

  /// The string, or nil if the value is not a string.
  public var string: String? { if case .string(let string) = self { string } else { nil } }

  /// The array, or nil if the value is not an array.
  public var array: JSONArray? { if case .array(let array) = self { array } else { nil } }

  /// The object, or nil if the value is not an object.
  public var object: JSONObject? { if case .object(let object) = self { object } else { nil } }

  /// The member with the given name, or nil if the member does not exist or this value is not an object.
  ///
  /// Assigning a value replaces or appends the member, and assigning nil removes it. If this value is not an object,
  /// the assignment has no effect.
  public subscript(name: String) -> JSONValue? {
    get { object?[name] }
    _modify {
      guard case .object(var object) = self else {
        var nothing: JSONValue?
        yield &nothing
        return
      }
      // The object is moved out while it changes, so that it need not be copied.
      self = .null
      defer { self = .object(object) }
      yield &object[name]
    }
  }

  /// The element at the given index, or nil if the element does not exist or this value is not an array.
  ///
  /// Assigning a value replaces the element, and assigning nil removes it. If the element does not exist, the
  /// assignment has no effect.
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
      swap(&taken, &array[index])
      var element: JSONValue? = taken
      taken = .null
      defer {
        if let element { array[index] = element } else { array.remove(at: index) }
      }
      yield &element
    }
  }
}
