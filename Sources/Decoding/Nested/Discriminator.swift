/// Which type a value has, as the text in one of its members says.
///
/// ```swift
/// enum Hit {
///   case movie(Movie), photo(Photo), unknown(RawJSON)
///
///   static let byType = Discriminator<Hit>(
///     "type", cases: ["movie": .case(Hit.movie), "photo": .case(Hit.photo)], unknown: Hit.unknown)
/// }
///
/// let hits = try json.decodeAll(at: "hits[*]", by: Hit.byType)
/// ```
///
/// For types with a protocol in common the types alone will do: `Discriminator<any Media>("type", ["movie":
/// Movie.self])`. Numbers and booleans in the member count as their text. ``NestedEncoder/encode(_:at:by:)`` writes the
/// member back.
public struct Discriminator<Value>: Sendable {
  /// One of the types, and how it becomes the common one.
  public struct Case: Sendable {
    let type: any (Decodable & SendableMetatype).Type
    let decode: @Sendable (NestedValue) throws -> Value
    /// The common value that a value of the type becomes.
    var wrapped: @Sendable (Any) -> Value? = { $0 as? Value }

    /// A type that a function makes the common one of, such as a case of an enum with one associated value.
    public static func `case`<T: Decodable & SendableMetatype>(_ wrap: @escaping @Sendable (T) -> Value) -> Case {
      Case(type: T.self, decode: { wrap(try $0.decode(T.self)) }, wrapped: { ($0 as? T).map(wrap) })
    }
  }

  /// The path from the value to the text that says its type.
  public let member: JSONPath
  private let cases: [String: Case]
  private let unknown: (@Sendable (RawJSON) throws -> Value)?

  /// Takes the types by the texts that stand for them.
  ///
  /// - Parameters:
  ///   - member: The path from the value to the text.
  ///   - cases: The types by text.
  ///   - unknown: Makes a value of one with another text; without it that is an error.
  public init(
    _ member: JSONPath, cases: [String: Case], unknown: (@Sendable (RawJSON) throws -> Value)? = nil
  ) {
    (self.member, self.cases, self.unknown) = (member, cases, unknown)
  }

  /// Takes types that are `Value`, or conform to it, by the texts that stand for them.
  ///
  /// - Parameters:
  ///   - member: The path from the value to the text.
  ///   - types: The types by text. One that is no `Value` is an error where it is decoded.
  ///   - unknown: Makes a value of one with another text; without it that is an error.
  public init(
    _ member: JSONPath, _ types: [String: any (Decodable & SendableMetatype).Type],
    unknown: (@Sendable (RawJSON) throws -> Value)? = nil
  ) {
    self.init(member, cases: types.mapValues { Case(casting: $0) }, unknown: unknown)
  }

  /// Decodes a value as the type that it says.
  func decode(_ value: NestedValue) throws -> Value {
    let name = try NestedDecoder(root: NestedRoot(value.decoder())).decode(at: member, as: .textOrNumber)
    if let known = cases[name] { return try known.decode(value) }
    if let unknown { return try unknown(value.decode(RawJSON.self)) }
    let error = UnknownCaseError(found: name, known: cases.keys.sorted())
    let path = value.codingPath + (member.compiled.steps ?? []).map { AnyKey($0) }
    throw DecodingError.dataCorrupted(
      DecodingError.Context(codingPath: path, debugDescription: "\(error)", underlyingError: error))
  }

  /// The text for a value, or nil for one that was unknown, and what is encoded of it; nil where it is none of the
  /// types.
  func encoded(_ value: Value) -> (name: String?, payload: any Encodable)? {
    // What has one of the types is the value itself, or what an enum's case holds.
    let (label, held) = Self.associated(value)
    for candidate in [value, held].compactMap({ $0 as? any Encodable }) {
      // Several cases may hold the same type, and several texts may stand for one of them.
      let name = cases.keys.sorted().first { name in
        guard let known = cases[name], known.type == Swift.type(of: candidate) else { return false }
        return known.wrapped(candidate).map { Self.associated($0).label == label } ?? false
      }
      if let name { return (name, candidate) }
    }
    guard unknown != nil, let payload = (held ?? value) as? RawJSON else { return nil }
    return (nil, payload)
  }

  /// The case of an enum, and the one value that it holds, with or without a label; nil for other values.
  private static func associated(_ value: Value) -> (label: String?, held: Any?) {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .enum, let child = mirror.children.first else { return (nil, nil) }
    let inner = Mirror(reflecting: child.value)
    let isLabelled = inner.displayStyle == .tuple && inner.children.count == 1
    return (child.label, isLabelled ? inner.children.first?.value : child.value)
  }
}

extension Discriminator.Case {
  fileprivate init(casting type: any (Decodable & SendableMetatype).Type) {
    self.init(type: type) { value in
      let decoded: any Decodable = try value.decode(type)
      if let result = decoded as? Value { return result }
      throw DecodingError.typeMismatch(
        Value.self,
        DecodingError.Context(codingPath: value.codingPath, debugDescription: "\(type) is no \(Value.self)."))
    }
  }
}
