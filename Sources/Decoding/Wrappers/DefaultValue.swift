/// Commonly used default values for ``Default``.
///
/// ```swift
/// @Default<DefaultValue.Zero> var votes: Int
/// @Default<DefaultValue.EmptyArray> var tags: [String]
/// ```
///
/// For any other default value, define your own ``DefaultSource``.
public enum DefaultValue {
  /// The number zero, for any numeric type.
  public enum Zero<Value: Decodable & Numeric>: DefaultSource {
    /// The number 0.
    public static var value: Value { 0 }
  }

  /// The boolean `false`.
  public enum False: DefaultSource {
    /// The boolean `false`.
    public static var value: Bool { false }
  }

  /// The boolean `true`.
  public enum True: DefaultSource {
    /// The boolean `true`.
    public static var value: Bool { true }
  }

  /// The empty string.
  public enum EmptyString: DefaultSource {
    /// The empty string.
    public static var value: String { "" }
  }

  /// The empty array.
  public enum EmptyArray<Element: Decodable>: DefaultSource {
    /// The empty array.
    public static var value: [Element] { [] }
  }

  /// An empty dictionary with string keys.
  public enum EmptyDictionary<Element: Decodable>: DefaultSource {
    /// The empty dictionary.
    public static var value: [String: Element] { [:] }
  }
}
