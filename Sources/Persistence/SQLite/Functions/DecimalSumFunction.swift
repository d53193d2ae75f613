internal import CLarderSQLite
internal import Foundation

/// `larder_decimal_sum(key)` and `larder_decimal_average(key)`: the sort keys of the sum and of the mean of the
/// decimals that sort keys represent. A sum that is not exact aborts the statement.
enum DecimalSumFunction {
  static let sum = "larder_decimal_sum"
  static let average = "larder_decimal_average"

  private final class Box { var total = DecimalTotal() }

  static func register(on database: OpaquePointer) throws(PersistenceError) {
    try register(sum, on: database) { DecimalSumFunction.finish($0, \.sum) }
    try register(average, on: database) { DecimalSumFunction.finish($0, \.average) }
  }

  private static func register(
    _ name: String, on database: OpaquePointer, _ end: SQLFunction.End
  ) throws(PersistenceError) {
    try SQLFunction.register(name, arguments: 1, on: database, end: end) { DecimalSumFunction.add($0, $2) }
  }

  private static func add(_ context: OpaquePointer?, _ values: SQLFunction.Values?) {
    guard let value = values?[0], sqlite3_value_type(value) != SQLITE_NULL,
      let place = place(context, MemoryLayout<Unmanaged<Box>?>.size)
    else { return }
    // The memory is zero at first, which is nil. SQLite calls `finish` even after an error.
    let box = place.pointee ?? .passRetained(Box())
    place.pointee = box
    box.takeUnretainedValue().total.add(SumFunction.value(value))
  }

  private static func finish(_ context: OpaquePointer?, _ result: (DecimalTotal) -> StoredValue?) {
    guard let context else { return }
    let total = place(context, 0)?.pointee?.takeRetainedValue().total ?? DecimalTotal()
    guard let result = result(total) else {
      return sqlite3_result_error(context, DatabaseError.integerOverflow, -1)
    }
    _ = FunctionResult(context: context).put(result)
  }

  private static func place(_ context: OpaquePointer?, _ size: Int) -> UnsafeMutablePointer<Unmanaged<Box>?>? {
    sqlite3_aggregate_context(context, Int32(size))?.assumingMemoryBound(to: Unmanaged<Box>?.self)
  }
}

/// Adds up decimals exactly.
struct DecimalTotal {
  /// Nil after a sum that a `Decimal` cannot hold exactly.
  private var exact: Decimal? = 0
  private var count = 0
  private var isUnreadable = false

  mutating func add(_ stored: StoredValue) {
    count += 1
    guard let value = Decimal(stored: stored) else { return isUnreadable = true }
    guard let total = exact else { return }
    let next = total + value
    exact = !next.isNaN && next - total == value && next - value == total ? next : nil
  }

  /// Nil if the sum is not exact. Not a decimal if a value was none.
  var sum: StoredValue? { isUnreadable ? .text("") : exact?.stored }

  /// Null if there are no values.
  var average: StoredValue? {
    count == 0 ? .null : isUnreadable ? .text("") : exact.map { ($0 / Decimal(count)).stored }
  }
}
