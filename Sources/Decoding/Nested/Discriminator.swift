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
    let decode: @Sendable (any Decoder) throws -> Value
    /// Converts a value of the type to `Value`.
    var wrapped: @Sendable (Any) -> Value? = { $0 as? Value }

    /// Creates a case from a function that converts decoded values of type `T` to `Value`. The function can be an enum
    /// case with one associated value.
    public static func `case`<T: Decodable & SendableMetatype>(_ wrap: @escaping @Sendable (T) -> Value) -> Case {
      Case(
        type: T.self, decode: { wrap(try $0.singleValueContainer().decode(T.self)) },
        wrapped: { ($0 as? T).map(wrap) })
    }
  }

  /// A case as one reference, because copying one takes longer than finding it.
  private final class KnownCase: Sendable {
    let type: any (Decodable & SendableMetatype).Type
    let decode: @Sendable (any Decoder) throws -> Value
    let wrapped: @Sendable (Any) -> Value?
    /// The label of the enum's case that was met last, which takes longer to find than a small value to encode.
    private let label = Lock<String??>(nil)

    /// Whether a value that the case can hold comes from an enum's case with this label.
    func accepts(_ payload: Any, _ found: String?) -> Bool {
      if label.withLock({ $0 == .some(found) }) { return true }
      guard let value = wrapped(payload) else { return false }
      let known = Discriminator.associated(value).label
      label.withLock { $0 = .some(known) }
      return known == found
    }

    init(_ known: Case) { (type, decode, wrapped) = (known.type, known.decode, known.wrapped) }
  }

  /// The path from the value to the string that identifies its type.
  public var member: JSONPath { table.member }

  private let table: DiscriminatorTable
  private let unknown: (@Sendable (RawJSON) throws -> Value)?
  private let payload: (@Sendable (Value) -> (any Encodable)?)?

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
    (self.unknown, self.payload) = (unknown, payload)
    let names = Dictionary(grouping: cases.sorted { $0.key < $1.key }) { ObjectIdentifier($0.value.type) }
    table = DiscriminatorTable(
      member, cases: Dictionary(uniqueKeysWithValues: cases.map { (AnyKey(stringValue: $0), KnownCase($1)) }),
      names: names.mapValues { $0.map(\.key) })
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
  func decode(_ value: NestedValue) throws -> Value { try decode(NestedRoot.of(value.decoder())) }

  func decode(_ root: NestedRoot) throws -> Value {
    let name = try name(at: root)
    if let known = known(name) { return try known.decode(root.decoder) }
    if let unknown { return try unknown(root.decoder.singleValueContainer().decode(RawJSON.self)) }
    let error = UnknownCaseError(found: name, known: caseNames)
    let path = root.decoder.codingPath + (member.compiled.steps ?? []).map { AnyKey($0) }
    throw DecodingError.corrupted(error, at: path)
  }

  private func known(_ name: String) -> KnownCase? {
    guard let known = table.cases[AnyKey(stringValue: name)] else { return nil }
    return unsafeDowncast(known, to: KnownCase.self)
  }

  private var caseNames: [String] { table.cases.keys.map(\.stringValue).sorted() }

  private func name(at root: NestedRoot) throws -> String {
    if case .value(let name) = root.scalar(String.self, at: table.member) { return name }
    if let key = table.key, let name = try? root.object?.container.decode(String.self, forKey: key) { return name }
    return try NestedDecoder(root: root).decode(at: member, as: .stringOrNumber)
  }

  /// Returns what to encode, or nil if the value has none of the types.
  func encoded(_ value: Value) -> Discriminated? {
    if let payload {
      guard let held = payload(value) else { return nil }
      let names = names(of: held)
      if names.count != 1 || Swift.type(of: held) == RawJSON.self {
        return encoded(held, names, Self.associated(value).label)
      }
      return Discriminated(payload: held, names: names, table: table)
    }
    if let value = value as? any Encodable, let names = table.names[ObjectIdentifier(Swift.type(of: value))] {
      return Discriminated(payload: value, names: names, table: table)
    }
    // The value that has one of the types is either the value itself or the associated value of its enum case.
    let (label, held) = Self.associated(value)
    for case let candidate as any Encodable in [held, value] {
      if let encoded = encoded(candidate, names(of: candidate), label) { return encoded }
    }
    return nil
  }

  private func encoded(_ payload: any Encodable, _ names: [String], _ label: String?) -> Discriminated? {
    // Several cases may have the same type.
    let matching = names.filter { known($0)?.accepts(payload, label) ?? false }
    guard !matching.isEmpty || unknown != nil && payload is RawJSON else { return nil }
    return Discriminated(payload: payload, names: matching, table: table)
  }

  private func names(of payload: any Encodable) -> [String] {
    table.names[ObjectIdentifier(Swift.type(of: payload))] ?? names(accepting: payload)
  }

  /// The strings for an instance of a subclass.
  private func names(accepting payload: any Encodable) -> [String] {
    guard Swift.type(of: payload) is AnyClass else { return [] }
    return caseNames.filter { known($0)?.wrapped(payload) != nil }
  }

  /// Why a value cannot be encoded.
  func refusal(of value: Value) -> String {
    let (label, held) = Self.associated(value)
    let types = Set(caseNames.compactMap { known($0).map { "\($0.type)" } })
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
    self.init(type: type) { decoder in
      let decoded: any Decodable = try decoder.singleValueContainer().decode(type)
      if let result = decoded as? Value { return result }
      let expected = ExpectedValue("the discriminator's type to be \(Value.self), not \(type)")
      throw DecodingError.corrupted(expected, at: decoder.codingPath)
    }
  }
}

/// What a discriminator knows apart from the type of its values: one reference, since discriminators are copied often.
final class DiscriminatorTable: Sendable {
  let member: JSONPath
  /// The member, if its path is a single name.
  let key: AnyKey?
  /// Each is a `KnownCase`. The type of a dictionary of those would be looked up at each use.
  let cases: [AnyKey: any AnyObject & Sendable]
  /// The strings that identify each type, in order.
  let names: [ObjectIdentifier: [String]]

  init(_ member: JSONPath, cases: [AnyKey: any AnyObject & Sendable], names: [ObjectIdentifier: [String]]) {
    (self.member, self.cases, self.names) = (member, cases, names)
    let steps = member.compiled.steps ?? []
    key = if steps.count == 1, case .name(let name) = steps[0] { AnyKey(stringValue: name.text) } else { nil }
  }
}
