/// A type that provides a strategy for ``CodedBy``.
///
/// ```swift
/// enum Day: FieldStrategySource {
///   static let strategy = FieldStrategy<Date>.date(format: "yyyy-MM-dd")
/// }
///
/// struct Concert: Codable {
///   @CodedBy<Day, Date> var date: Date
///   @CodedBy<Day, Date?> var moved: Date?
/// }
/// ```
nonisolated public protocol FieldStrategySource: SendableMetatype {
  /// The type of the values that the strategy decodes and encodes.
  associatedtype Value

  /// The strategy. If creating the strategy is expensive, declare this property as a stored constant.
  static var strategy: FieldStrategy<Value> { get }
}
