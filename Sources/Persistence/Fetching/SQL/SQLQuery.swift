public import Foundation

/// A `SELECT` statement with bound values, for the `select` methods of ``ObjectSpace`` and ``ViewContext``.
///
/// ```swift
/// let query: SQLQuery = "SELECT title, count(*) AS number FROM \(Movie.self) WHERE year > \(1990) GROUP BY 1"
/// ```
///
/// Interpolated values become bound values, except in the following interpolations:
///
/// | interpolation | what becomes part of the SQL |
/// |---|---|
/// | `\(Movie.self)` | the name of the class's table |
/// | `\(\Movie.title)` | the name of the property's column |
/// | `\(identifier: name)` | the text as a quoted name |
/// | `\(sortKey: decimal)` | a `?` for the sort key of a `Decimal` |
/// | `\(query)` | the text and the values of another `SQLQuery` |
/// | `\(raw: text)` | the text without any changes |
///
/// Values are bound in their stored forms, which ``AttributeValue`` describes. A sequence becomes a list of bound
/// values in parentheses, as in `IN \(titles)`.
///
/// A `Decimal` is stored in two columns, one with readable digits and one with a sort key. To compare decimals, compare
/// their sort keys, as in `\(\Movie.price) > \(sortKey: limit)`. A `Decimal` that is interpolated without the `sortKey`
/// label is rejected, because comparing the digits as text would give incorrect results.
public struct SQLQuery: Sendable {
  enum Part: Sendable {
    case text(String)
    case table(ManagedObject.Type)
    case column(any PropertyPath, of: ManagedObject.Type)
    /// A `Decimal` without a label.
    case plainDecimal
  }

  var parts: ContiguousArray<Part> = []
  var arguments: [StoredValue] = []
}

extension SQLQuery: ExpressibleByStringInterpolation {
  /// Creates a query without bound values.
  public init(stringLiteral text: String) { parts = [.text(text)] }

  /// Creates a query with bound values from an interpolated string.
  public init(stringInterpolation: StringInterpolation) { self = stringInterpolation.query }

  /// A type that builds a query from the text and the interpolations of a string literal.
  ///
  /// ## Topics
  ///
  /// ### Names and SQL
  ///
  /// - ``appendInterpolation(identifier:)``
  /// - ``appendInterpolation(raw:)``
  /// - ``appendLiteral(_:)``
  ///
  /// ### Decimals
  ///
  /// - ``appendInterpolation(sortKey:)``
  public struct StringInterpolation: StringInterpolationProtocol, Sendable {
    fileprivate var query = SQLQuery()

    /// Creates an empty interpolation.
    public init(literalCapacity: Int, interpolationCount: Int) {
      query.parts.reserveCapacity(2 * interpolationCount + 1)
    }

    /// Appends the SQL text of a literal segment.
    public mutating func appendLiteral(_ literal: String) {
      if !literal.isEmpty { query.parts.append(.text(literal)) }
    }

    /// Binds a value.
    public mutating func appendInterpolation<Value: QueryValue>(_ value: Value) {
      bind(value)
    }

    /// Binds a value, or null for nil.
    public mutating func appendInterpolation<Value: QueryValue>(_ value: Value?) {
      bind(value)  // not the method above alone, for which the compiler warns about an optional
    }

    /// Binds the sort key of a decimal, or null for nil.
    public mutating func appendInterpolation(sortKey value: Decimal?) { bind(operand: value._operand) }

    private mutating func bind<Value: QueryValue>(_ value: Value) {
      if Value.Unwrapped.self == Decimal.self { query.parts.append(.plainDecimal) }
      bind(operand: value._operand)
    }

    private mutating func bind(operand: StoredValue) {
      // A digit that follows directly would otherwise be the parameter's number.
      query.parts.append(.text("? "))
      query.arguments.append(operand)
    }

    /// Binds the values of a sequence as a list in parentheses.
    @_disfavoredOverload
    public mutating func appendInterpolation<Values: Sequence>(_ values: Values) where Values.Element: QueryValue {
      bind(list: values)
    }

    /// Binds the values of an array as a list in parentheses. The array is not bound as a single value, although
    /// arrays are also attribute types.
    public mutating func appendInterpolation<Value: AttributeValue>(_ values: [Value]) { bind(list: values) }

    /// Binds the values of a set as a list in parentheses. The set is not bound as a single value, although sets are
    /// also attribute types.
    public mutating func appendInterpolation<Value: AttributeValue & Comparable>(_ values: Set<Value>) {
      bind(list: values)
    }

    private mutating func bind<Values: Sequence>(list values: Values) where Values.Element: QueryValue {
      let operands = values.map(\._operand)
      if Values.Element.Unwrapped.self == Decimal.self { query.parts.append(.plainDecimal) }
      query.parts.append(.text("(" + SQL.marks(operands.count) + ")"))
      query.arguments += operands
    }

    /// Appends the name of the table that contains the objects of a class.
    public mutating func appendInterpolation<Object: ManagedObject>(_ type: Object.Type) {
      query.parts.append(.table(type))
    }

    /// Appends the name of the column that stores an attribute, a to-one relationship or the id of an object.
    public mutating func appendInterpolation<Object: ManagedObject, Value>(
      _ path: any KeyPath<Object, Value> & Sendable
    ) {
      query.parts.append(.column(path, of: Object.self))
    }

    /// Appends the given text as a quoted name, such as the name of a column.
    public mutating func appendInterpolation(identifier name: String) {
      query.parts.append(.text(SQL.identifier(name)))
    }

    /// Appends the given text to the SQL statement without any changes. Never pass text that comes from a user.
    public mutating func appendInterpolation(raw sql: String) { appendLiteral(sql) }

    /// Appends the text and the values of another query.
    public mutating func appendInterpolation(_ other: SQLQuery) {
      query.parts += other.parts
      query.arguments += other.arguments
    }
  }
}
