/// Selects the Swift type of a JSON value based on a string in one of the value's members.
///
/// ```swift
/// enum Hit {
///   case movie(Movie), photo(Photo), unknown(RawJSON)
///
///   static let byType = Discriminator<Hit>(
///     "type", cases: ["movie": .case(Hit.movie), "photo": .case(Hit.photo)],
///     unknown: Hit.unknown)
/// }
///
/// let hits = try json.decodeAll(at: "hits[*]", by: Hit.byType)
/// ```
///
/// If all types conform to one protocol, you can list the types without cases:
/// `Discriminator<any Media>("type", ["movie": Movie.self])`. If the member contains a number or a boolean, that value
/// is converted to a string first. Strings are compared by their bytes. To encode a value together with the member, use
/// ``NestedEncoder/encode(_:at:by:)``.
public struct Discriminator<Value>: Sendable {
  /// A type that can be decoded, and a function that converts decoded values to `Value`.
  public struct Case: Sendable {
    let type: any (Decodable & SendableMetatype).Type
    let decode: @Sendable (NestedValue) throws -> Value
    /// Converts a value of the type to `Value`.
    var wrapped: @Sendable (Any) -> Value? = { $0 as? Value }

    /// Creates a case from a function that converts decoded values of type `T` to `Value`. The function can be an enum
    /// case with one associated value.
    public static func `case`<T: Decodable & SendableMetatype>(_ wrap: @escaping @Sendable (T) -> Value) -> Case {
      Case(type: T.self, decode: { wrap(try $0.decode(T.self)) }, wrapped: { ($0 as? T).map(wrap) })
    }
  }

  /// The path from the value to the string that identifies its type.
  public let member: JSONPath
  private let cases: [AnyKey: Case]
  private let unknown: (@Sendable (RawJSON) throws -> Value)?
  private let payload: (@Sendable (Value) -> (any Encodable)?)?
  /// The strings that identify each type, in order.
  private let names: [ObjectIdentifier: [String]]
  /// The member, if its path is a single name.
  let key: AnyKey?

  /// Creates a discriminator from cases that are identified by strings.
  ///
  /// - Parameters:
  ///   - member: The path from the value to the string that identifies its type.
  ///   - cases: The cases, keyed by the strings that identify them.
  ///   - unknown: A closure that creates a value from raw JSON if the string is not one of the known strings. If the
  ///     closure is nil, an unknown string causes an error.
  ///   - payload: A closure that returns the value to encode, for an enum the associated value, and nil for a case that
  ///     is not among the cases. If the closure is nil, or if several cases hold values of one type, reflection finds
  ///     the value or the case, which takes longer than encoding a small value.
  public init(
    _ member: JSONPath, cases: [String: Case], unknown: (@Sendable (RawJSON) throws -> Value)? = nil,
    payload: (@Sendable (Value) -> (any Encodable)?)? = nil
  ) {
    (self.member, self.unknown, self.payload) = (member, unknown, payload)
    self.cases = Dictionary(uniqueKeysWithValues: cases.map { (AnyKey(stringValue: $0), $1) })
    names = Dictionary(grouping: cases.sorted { $0.key < $1.key }) { ObjectIdentifier($0.value.type) }
      .mapValues { $0.map(\.key) }
    let steps = member.compiled.steps ?? []
    key = if steps.count == 1, case .name(let name) = steps[0] { AnyKey(stringValue: name.text) } else { nil }
  }

  /// Creates a discriminator from types that are identified by strings. Each type must be `Value` or conform to it.
  ///
  /// - Parameters:
  ///   - member: The path from the value to the string that identifies its type.
  ///   - types: The types, keyed by the strings that identify them. If a decoded value cannot be cast to `Value`, an
  ///     error is thrown.
  ///   - unknown: A closure that creates a value from raw JSON if the string is not one of the known strings. If the
  ///     closure is nil, an unknown string causes an error.
  public init(
    _ member: JSONPath, _ types: [String: any (Decodable & SendableMetatype).Type],
    unknown: (@Sendable (RawJSON) throws -> Value)? = nil
  ) {
    self.init(member, cases: types.mapValues { Case(casting: $0) }, unknown: unknown)
  }

  /// Decodes a value as the type that its member identifies.
  func decode(_ value: NestedValue) throws -> Value {
    let name = try name(of: value)
    if let known = cases[AnyKey(stringValue: name)] { return try known.decode(value) }
    if let unknown { return try unknown(value.decode(RawJSON.self)) }
    let error = UnknownCaseError(found: name, known: cases.keys.map(\.stringValue).sorted())
    let path = value.codingPath + (member.compiled.steps ?? []).map { AnyKey($0) }
    throw DecodingError.dataCorrupted(
      DecodingError.Context(codingPath: path, debugDescription: "\(error)", underlyingError: error))
  }

  private func name(of value: NestedValue) throws -> String {
    let decoder = try value.decoder()
    if let key, let object = try? decoder.container(keyedBy: AnyKey.self),
      let name = try? object.decode(String.self, forKey: key)
    {
      return name
    }
    return try NestedDecoder(root: NestedRoot(decoder)).decode(at: member, as: .stringOrNumber)
  }

  /// What is encoded for a value.
  struct Encoded {
    let payload: any Encodable
    /// The strings that identify it; empty for an unknown one.
    var names: [String] = []
  }

  /// Returns what to encode, or nil if the value has none of the types.
  func encoded(_ value: Value) -> Encoded? {
    if let payload {
      guard let held = payload(value) else { return nil }
      let names = names(of: held)
      if names.isEmpty || names.count > 1 || held is RawJSON {
        return encoded(held, names, Self.associated(value).label)
      }
      return Encoded(payload: held, names: names)
    }
    if let value = value as? any Encodable, let names = names[ObjectIdentifier(Swift.type(of: value))] {
      return Encoded(payload: value, names: names)
    }
    // The value that has one of the types is either the value itself or the associated value of its enum case.
    let (label, held) = Self.associated(value)
    for case let candidate as any Encodable in [held, value] {
      if let encoded = encoded(candidate, names(of: candidate), label) { return encoded }
    }
    return nil
  }

  private func encoded(_ payload: any Encodable, _ names: [String], _ label: String?) -> Encoded? {
    // Several cases may have the same type.
    let matching = names.filter { name in
      cases[AnyKey(stringValue: name)]?.wrapped(payload).map { Self.associated($0).label == label } ?? false
    }
    if !matching.isEmpty { return Encoded(payload: payload, names: matching) }
    return unknown != nil && payload is RawJSON ? Encoded(payload: payload) : nil
  }

  private func names(of payload: any Encodable) -> [String] {
    names[ObjectIdentifier(Swift.type(of: payload))] ?? names(accepting: payload)
  }

  /// The strings for an instance of a subclass.
  private func names(accepting payload: any Encodable) -> [String] {
    guard Swift.type(of: payload) is AnyClass else { return [] }
    return cases.filter { $0.value.wrapped(payload) != nil }.map(\.key.stringValue).sorted()
  }

  /// Why a value cannot be encoded.
  func refusal(of value: Value) -> String {
    let (label, held) = Self.associated(value)
    let types = Set(cases.values.map { "\($0.type)" })
    for candidate in [value as Any, held].compactMap(\.self) where !(candidate is any Encodable) {
      let type = "\(Swift.type(of: candidate))"
      if types.contains(type) { return "\(type) is not Encodable." }
    }
    let found = "\(Swift.type(of: value as Any))" + (label.map { ".\($0)" } ?? "")
    return "Expected one of the discriminator's types, \(types.sorted().joined(separator: ", ")), found \(found)."
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
      let expected = ExpectedValue("the discriminator's type to be \(Value.self), not \(type)")
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: value.codingPath, debugDescription: "\(expected)", underlyingError: expected))
    }
  }
}
