/// An ordered collection of the members of a JSON object. Each member is a name/value pair, and the names are unique.
///
/// ```swift
/// var movie: JSONObject = ["title": "Emma", "year": 1996]
/// movie["year"] = nil
/// for (name, value) in movie { print(name, value) }
/// ```
///
/// Two names are equal if they consist of the same code points. Copies share their members until one of the copies
/// changes. Looking up a name takes constant time, or logarithmic time after members have been removed. Removing a
/// member takes linear time, because it shifts the members after the removed member.
public struct JSONObject: Sendable {
  private(set) var storage: JSONStorage

  /// Creates an empty object.
  public init() { storage = .emptyObject }

  init(_ storage: JSONStorage) { self.storage = storage }

  /// Creates an object from members. If several members have the same name, the first one is used.
  public init(_ members: some Sequence<(String, JSONValue)>) {
    storage = JSONStorage(isObject: true)
    for (name, value) in members { storage.append(name, value) }
  }

  /// Creates an object from a dictionary, with the members sorted by name.
  public init(_ dictionary: [String: JSONValue]) {
    self.init(dictionary.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
  }

  /// The names of the members, in order.
  public var names: [String] { storage.names }

  /// The value of the member with the given name, or nil if there is no such member.
  ///
  /// Assigning a value replaces the value of an existing member in place, or appends a new member. Assigning nil
  /// removes the member.
  public subscript(name: String) -> JSONValue? {
    get { storage.position(of: name).map { storage.values[$0] } }
    _modify {
      if !isKnownUniquelyReferenced(&storage) { storage = storage.copy() }
      let position = storage.position(of: name)
      var member: JSONValue?
      if let position {
        // Moved out while it changes, so that it need not be copied.
        var taken = JSONValue.null
        swap(&taken, &storage.values[position])
        member = taken
      }
      defer {
        switch (position, member) {
        case (let position?, let member?): storage.values[position] = member
        case (let position?, nil): storage.removeMember(at: position)
        case (nil, let member?): storage.append(name, member)
        case (nil, nil): break
        }
      }
      yield &member
    }
  }
}

extension JSONObject: RandomAccessCollection {
  /// The position of the first member, which is always 0.
  public var startIndex: Int { 0 }

  /// The position after the last member, which is equal to the number of members.
  public var endIndex: Int { storage.values.count }

  /// The member at a position, which must be a valid index.
  public subscript(position: Int) -> (name: String, value: JSONValue) {
    (storage.names[position], storage.values[position])
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// Creates an object with the given members. If several members have the same name, the first one is used.
  public init(dictionaryLiteral members: (String, JSONValue)...) { self.init(members) }
}

extension JSONObject: Hashable {
  /// Returns whether both objects have equal members, in any order.
  public static func == (left: JSONObject, right: JSONObject) -> Bool { JSONValue.object(left) == .object(right) }

  /// Hashes the members.
  public func hash(into hasher: inout Hasher) { hasher.combine(JSONValue.object(self)) }
}

extension JSONObject: CustomStringConvertible {
  /// The object as JSON.
  public var description: String { JSONValue.object(self).description }
}
