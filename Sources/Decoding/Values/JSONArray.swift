/// A collection of the elements of a JSON array. It behaves like `Array`, but deallocating it never recurses, no matter
/// how deeply the elements are nested.
///
/// ```swift
/// let tags: JSONValue = ["a", "b"]
/// for tag in tags.array ?? [] { print(tag) }
/// ```
///
/// Copies share their elements until one of the copies changes.
public struct JSONArray: Sendable {
  private(set) var storage: JSONStorage

  /// Creates an empty array.
  public init() { storage = .emptyArray }

  init(_ storage: JSONStorage) { self.storage = storage }
}

extension JSONArray: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
  /// The position of the first element, which is always 0.
  public var startIndex: Int { 0 }

  /// The position after the last element, which is equal to the number of elements.
  public var endIndex: Int { storage.values.count }

  /// The element at a position, which must be a valid index.
  public subscript(position: Int) -> JSONValue {
    get { storage.values[position] }
    _modify {
      if !isKnownUniquelyReferenced(&storage) { storage = storage.copy() }
      yield &storage.values[position]
    }
  }

  /// Replaces the elements in a range. The range must not extend beyond the array.
  public mutating func replaceSubrange(_ range: Range<Int>, with elements: some Collection<JSONValue>) {
    if !isKnownUniquelyReferenced(&storage) { storage = storage.copy() }
    storage.values.replaceSubrange(range, with: elements)
  }
}

extension JSONArray: ExpressibleByArrayLiteral {
  /// Creates an array with the given elements.
  public init(arrayLiteral elements: JSONValue...) { self.init(elements) }
}

extension JSONArray: Hashable {
  /// Returns whether both arrays have equal elements in the same order.
  public static func == (left: JSONArray, right: JSONArray) -> Bool { JSONValue.array(left) == .array(right) }

  /// Hashes the elements.
  public func hash(into hasher: inout Hasher) { hasher.combine(JSONValue.array(self)) }
}

extension JSONArray: CustomStringConvertible {
  /// The array as JSON.
  public var description: String { JSONValue.array(self).description }
}
