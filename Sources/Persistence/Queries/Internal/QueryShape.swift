/// The parts of a query that determine its SQL, which is everything except the values. Those are collected separately,
/// in order.
///
/// Key paths are compared by identity, which takes a single comparison: the literal at one place in a program is always
/// the same object. The owner of a shape must therefore also retain the expression that it was made from. Otherwise
/// another key path could be allocated at the same address.
struct QueryShape: Hashable {
  private(set) var words: ContiguousArray<UInt> = []
  private(set) var arguments: ContiguousArray<StoredValue> = []
  /// The texts and weights of searches so far, without repetitions.
  private var searched: ContiguousArray<StoredValue> = []

  mutating func removeAll() {
    words.removeAll(keepingCapacity: true)
    arguments.removeAll(keepingCapacity: true)
    searched.removeAll(keepingCapacity: true)
  }

  static func == (left: QueryShape, right: QueryShape) -> Bool { left.words == right.words }

  func hash(into hasher: inout Hasher) {
    words.withUnsafeBytes { hasher.combine(bytes: $0) }
  }

  @inline(__always) mutating func add(_ word: Int) { words.append(UInt(bitPattern: word)) }

  @inline(__always) mutating func add(_ path: AnyKeyPath) {
    words.append(UInt(bitPattern: ObjectIdentifier(path)))
  }

  @inline(__always) mutating func add(_ type: ManagedObject.Type) {
    words.append(UInt(bitPattern: ObjectIdentifier(type)))
  }

  mutating func add(argument: StoredValue) { arguments.append(argument) }

  /// Visits values in the order in which ``SQLGenerator`` numbers its parameters. ``FetchPlans`` compares both.
  mutating func add(_ expression: QueryExpression) {
    switch expression {
    case .value(let value):
      // nil, and values that are never stored, have separate SQL without a parameter.
      switch value {
      case .null: add(1)
      case _ where value.isNeverStored: add(2)
      default:
        add(3)
        arguments.append(value)
      }
    case .truth(let truth): add(truth ? 4 : 5)
    case .scope(let scope):
      add(6)
      add(scope)
    case .property(let path, let scope):
      add(7)
      add(path)
      add(scope)
    case .member(let object, let path):
      add(8)
      add(path)
      add(object)
    case .field(let value, let field):
      add(29)
      add(field.path)
      add(value)
    case .first(let members, let test): add(9, members, test)
    case .equal(let left, let right): add(10, left, right)
    case .ordered(let left, let order, let right): add(order.rawValue, left, right)
    case .isIn(let element, let values): add(element, among: values)
    case .text(let text, let match, let other): add(text, match, other)
    case .and(let left, let right): add(12, left, right)
    case .or(let left, let right): add(13, left, right)
    case .not(let condition): add(14, condition)
    case .arithmetic(let left, let operation, let right): add(operation.rawValue, left, right)
    case .length(let text): add(15, text)
    case .folded(let text): add(34, text)
    case .conditional(let test, let then, let otherwise): add(16, test, then, otherwise)
    case .coalesced(let first, let second): add(17, first, second)
    case .present(let value, let then): add(18, value, then)
    case .exists(let members, let test): add(19, members, test)
    case .count(let members, let test): add(20, members, test)
    case .aggregate(let function, let members, let value, let test): add(100 + function.rawValue, members, value, test)
    case .grouped(let function, let value): add(200 + function.rawValue, value)
    case .search(let object, let path, let text):
      add(path == nil ? 25 : 26)
      if let path { add(path) }
      add(object)
      add(searched: .text(text.match))
    case .rank(let object, let text, let weights):
      add(27)
      add(weights.count)
      add(object)
      for weight in weights {
        add(weight.path)
        add(searched: .real(weight.value))
      }
      add(searched: .text(text.match))
    case .literal(_, let number):
      // The number determines the SQL.
      add(28)
      add(number)
    case .unsupportedQuery: add(21)
    }
  }

  /// Adds a value of a search. The SQL depends on which of these values are equal: a condition and a rank with the same
  /// text share an evaluation.
  private mutating func add(searched value: StoredValue) {
    let index = searched.firstIndex(of: value) ?? searched.count
    if index == searched.count { searched.append(value) }
    add(index)
    arguments.append(value)
  }

  private mutating func add(_ tag: Int, _ parts: QueryExpression...) {
    add(tag)
    for part in parts { add(part) }
  }

  @inline(__always) private mutating func add(_ tag: Int, _ left: QueryExpression, _ right: QueryExpression) {
    add(tag)
    add(left)
    add(right)
  }

  /// Adds an operator. The other tags are less than the number of any.
  private mutating func add(_ sign: String, _ left: QueryExpression, _ right: QueryExpression) {
    add(sign.utf8.reduce(1) { $0 << 8 | Int($1) }, left, right)
  }

  private mutating func add(_ element: QueryExpression, among values: [StoredValue]) {
    add(values.contains { $0.isNull } ? 22 : 23)
    add(element)
    let list = ValueList(values)
    switch list {
    case .integers: add(0)
    case .others(let values): add(values.count)
    }
    arguments.append(contentsOf: list.arguments)
  }

  private mutating func add(_ text: QueryExpression, _ match: TextMatch, _ other: QueryExpression) {
    add(50 + match.rawValue)
    add(text)
    guard case .begins = match, case .value(.text(let prefix)) = other else { return add(other) }
    add(24)
    arguments.append(.text(prefix))
    arguments.append(.bound(afterPrefix: prefix))
  }
}
