/// Header fields in the order they came, duplicates kept, names compared without regard to case.
///
/// ```swift
/// var headers: HTTPHeaders = ["Accept": "application/json"]
/// headers["accept"] = "text/plain"            // replaces
/// headers.append("a=1", for: "Set-Cookie")    // adds another field
/// headers.values(for: "set-cookie")           // ["a=1"]
/// ```
///
/// Look-up is linear: header blocks are short. The description hides the values that carry credentials.
public struct HTTPHeaders: Sendable {
  /// One header field.
  public struct Field: Sendable {
    /// The name as written or received.
    public var name: String
    /// The value without surrounding white space.
    public var value: String

    /// A field from its name and value.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  private var fields: [Field]
  /// The names, in lower case, that descriptions hide besides ``redactedByDefault``: what the client that these fields
  /// went through is told to, and where its authenticators put credentials. Copies keep them.
  package var hiddenNames: Set<String> = []

  /// No fields.
  public init() {
    fields = []
  }

  /// The given fields in their order.
  public init(_ fields: some Sequence<Field>) {
    self.fields = Array(fields)
  }

  /// The first value of that name; setting it replaces every field of that name, setting nil removes them.
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

  /// Every value of that name, in order.
  public func values(for name: String) -> [String] {
    fields.compactMap { $0.name.equalsIgnoringASCIICase(name) ? $0.value : nil }
  }

  /// Adds a field and leaves those of the same name.
  public mutating func append(_ value: String, for name: String) {
    fields.append(Field(name: name, value: value))
  }

  /// Removes every field of that name.
  public mutating func removeAll(named name: String) {
    fields.removeAll { $0.name.equalsIgnoringASCIICase(name) }
  }

  /// Removes the fields that fulfil a condition.
  mutating func removeAll(where isRemoved: (Field) -> Bool) {
    fields.removeAll(where: isRemoved)
  }

  /// Has descriptions hide the fields that have been set or changed.
  mutating func hideWhatDiffers(from earlier: HTTPHeaders) {
    for field in fields where values(for: field.name) != earlier.values(for: field.name) {
      hiddenNames.insert(field.name.lowercased())
    }
  }

  /// Makes room for that many fields.
  public mutating func reserveCapacity(_ count: Int) {
    fields.reserveCapacity(count)
  }
}

extension HTTPHeaders: RandomAccessCollection {
  /// Always 0.
  public var startIndex: Int { fields.startIndex }
  /// The number of fields.
  public var endIndex: Int { fields.endIndex }
  /// The field at that place.
  public subscript(position: Int) -> Field { fields[position] }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
  /// The fields in the order written; a name may come twice.
  public init(dictionaryLiteral elements: (String, String)...) {
    self.init(elements.map { Field(name: $0.0, value: $0.1) })
  }
}

extension HTTPHeaders: Equatable {
  /// Whether both hold the same values under the same names (whatever their case) in the same order.
  public static func == (left: HTTPHeaders, right: HTTPHeaders) -> Bool {
    left.fields.elementsEqual(right.fields) {
      $0.value == $1.value && $0.name.equalsIgnoringASCIICase($1.name)
    }
  }
}
