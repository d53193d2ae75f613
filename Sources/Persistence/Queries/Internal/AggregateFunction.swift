/// A function of the values of several rows. All of them ignore nil.
enum AggregateFunction: Int, Sendable {
  case count, sum, realSum, average, minimum, maximum, decimalSum, decimalAverage

  /// What an error calls the function.
  var name: String {
    switch self {
    case .count: "count"
    case .sum, .realSum, .decimalSum: "sum"
    case .average, .decimalAverage: "average"
    case .minimum: "minimum"
    case .maximum: "maximum"
    }
  }

  func sql(_ value: String) -> String {
    switch self {
    case .count: "count(\(value))"
    case .sum: "coalesce(sum(\(value)),0)"
    case .realSum: "coalesce(sum(\(value)),0.0)"
    case .average: "avg(\(value))"
    case .minimum: "min(\(value))"
    case .maximum: "max(\(value))"
    case .decimalSum: "\(DecimalSumFunction.sum)(\(value))"
    case .decimalAverage: "\(DecimalSumFunction.average)(\(value))"
    }
  }

  var isNullable: Bool {
    switch self {
    case .count, .sum, .realSum, .decimalSum: false
    case .average, .minimum, .maximum, .decimalAverage: true
    }
  }

  /// Why the function cannot be applied to values of a type, or nil if it can.
  func refusal(of type: any QueryValue.Type) -> UnsupportedQueryError? {
    switch self {
    case .minimum, .maximum: type.isStoredInOrder ? nil : .unordered(type, .less)
    case .average:
      type._isCalculable || type == Float.self
        ? nil
        : UnsupportedQueryError("\(type)", "the store can calculate only with integers and floating-point numbers")
    case .count, .sum, .realSum, .decimalSum, .decimalAverage: nil
    }
  }

  /// Calculates the value in memory.
  func callAsFunction(_ values: [StoredValue]) throws(UnsupportedQueryError) -> StoredValue {
    let values = values.filter { !$0.isNull }
    switch self {
    case .count: return .integer(Int64(values.count))
    case .minimum: return values.min { $0.order(inIndexWith: $1) < 0 } ?? .null
    case .maximum: return values.max { $0.order(inIndexWith: $1) < 0 } ?? .null
    case .sum:
      var sum: Int64 = 0
      for case .integer(let value) in values {
        let (next, overflow) = sum.addingReportingOverflow(value)
        if overflow { throw UnsupportedQueryError("sum", "it exceeds 64 bits") }
        sum = next
      }
      return .integer(sum)
    case .decimalSum, .decimalAverage:
      var total = DecimalTotal()
      for value in values { total.add(value) }
      guard let result = self == .decimalSum ? total.sum : total.average else {
        throw UnsupportedQueryError(name, "it exceeds 38 digits")
      }
      return result
    case .realSum, .average:
      throw UnsupportedQueryError(name, "only the store calculates it: use the condition in a fetch")
    }
  }
}
