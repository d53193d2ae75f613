/// A type that names a default value for ``Default``.
public protocol DefaultSource {
  /// The type of the property.
  associatedtype Value: Decodable

  /// The default.
  static var value: Value { get }
}

/// Zero, of any number type.
public enum Zero<Value: Decodable & Numeric>: DefaultSource {
  /// 0.
  public static var value: Value { 0 }
}

/// False.
public enum False: DefaultSource {
  /// False.
  public static var value: Bool { false }
}

/// True.
public enum True: DefaultSource {
  /// True.
  public static var value: Bool { true }
}

/// The empty text.
public enum EmptyText: DefaultSource {
  /// "".
  public static var value: String { "" }
}

/// The empty array.
public enum EmptyArray<Element: Decodable>: DefaultSource {
  /// [].
  public static var value: [Element] { [] }
}

/// The empty dictionary with text as keys.
public enum EmptyDictionary<Element: Decodable>: DefaultSource {
  /// [:].
  public static var value: [String: Element] { [:] }
}
