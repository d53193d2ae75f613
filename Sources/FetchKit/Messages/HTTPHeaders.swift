/// An ordered collection of header fields. Names are case-insensitive, and several fields can have the same name.
///
/// ```swift
/// var headers: HTTPHeaders = ["Accept": "application/json"]
/// headers["accept"] = "text/plain"            // replaces
/// headers.append("a=1", for: "Set-Cookie")    // adds another field
/// headers.values(for: "set-cookie")           // ["a=1"]
/// ```
///
/// Looking up a field takes linear time but is fast, because a message has few header fields. The description hides
/// values that carry credentials.
public struct HTTPHeaders: Sendable {
  /// One header field.
  public struct Field: Sendable {
    /// The name of the field, as it was set or received.
    public var name: String
    /// The value of the field, without leading or trailing whitespace.
    public var value: String

    /// Creates a field with the given name and value.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  private var fields: [Field]
  /// Names, in lower case, that descriptions hide in addition to ``redactedByDefault``: the names configured in the
  /// client that handled these fields, and the fields in which its authenticators put credentials. Copies preserve
  /// them.
  package var hiddenNames: Set<String> = []

  /// Creates an empty collection.
  public init() {
    fields = []
  }

  /// Creates a collection with the given fields, in order.
  public init(_ fields: some Sequence<Field>) {
    self.fields = Array(fields)
  }

  /// The value of the first field with the given name. Setting a value replaces all fields with that name. Setting nil
  /// removes all fields with that name.
  public subscript(name: String) -> String? {
    get { fields.first { $0.name.equalsIgnoringASCIICase(name) }?.value }
    set {
      guard let newValue else { return removeAll(named: name) }
      guard let index = fields.firstIndex(where: { $0.name.equalsIgnoringASCIICase(name) }) else {
        return fields.append(Field(name: name, value: newValue))
      }
      fields[index].value = newValue
      let rest = fields.index(after: index)
      if fields[rest...].contains(where: { $0.name.equalsIgnoringASCIICase(name) }) {
        fields = fields[..<rest] + fields[rest...].filter { !$0.name.equalsIgnoringASCIICase(name) }
      }
    }
  }

  /// Whether both have the same fields because one is an unchanged copy of the other. Takes constant time.
  func isCopy(of other: HTTPHeaders) -> Bool {
    fields.withUnsafeBufferPointer { fields in
      other.fields.withUnsafeBufferPointer { $0.baseAddress == fields.baseAddress && $0.count == fields.count }
    }
  }

  /// Returns the values of all fields with the given name, in order.
  public func values(for name: String) -> [String] {
    fields.compactMap { $0.name.equalsIgnoringASCIICase(name) ? $0.value : nil }
  }

  /// Appends a field, even if the collection already contains fields with the same name.
  public mutating func append(_ value: String, for name: String) {
    fields.append(Field(name: name, value: value))
  }

  /// Removes all fields with the given name.
  public mutating func removeAll(named name: String) {
    fields.removeAll { $0.name.equalsIgnoringASCIICase(name) }
  }

  /// Removes the fields that satisfy a predicate.
  mutating func removeAll(where isRemoved: (Field) -> Bool) {
    fields.removeAll(where: isRemoved)
  }

  /// Hides the fields that were set or changed since an earlier version.
  mutating func redactChanges(from earlier: HTTPHeaders) {
    for field in fields where values(for: field.name) != earlier.values(for: field.name) {
      hiddenNames.insert(field.name.lowercased())
    }
  }

  /// Reserves enough space to store the given number of fields.
  public mutating func reserveCapacity(_ count: Int) {
    fields.reserveCapacity(count)
  }
}

extension HTTPHeaders: RandomAccessCollection {
  /// The position of the first field, which is always 0.
  public var startIndex: Int { fields.startIndex }
  /// The position after the last field, which equals the number of fields.
  public var endIndex: Int { fields.endIndex }
  /// The field at the given position.
  public subscript(position: Int) -> Field { fields[position] }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
  /// Creates a collection from a dictionary literal. The order of the fields is preserved, and a name can occur more
  /// than once.
  public init(dictionaryLiteral elements: (String, String)...) {
    self.init(elements.map { Field(name: $0.0, value: $0.1) })
  }
}

extension HTTPHeaders: Equatable {
  /// Returns whether two collections contain fields with the same names and values in the same order. The comparison of
  /// names is case-insensitive.
  public static func == (left: HTTPHeaders, right: HTTPHeaders) -> Bool {
    left.fields.elementsEqual(right.fields) {
      $0.value == $1.value && $0.name.equalsIgnoringASCIICase($1.name)
    }
  }
}
