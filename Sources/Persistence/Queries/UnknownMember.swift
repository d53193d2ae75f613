/// The type of a name that terms do not have, as in `$0.title.hasPrefx("a")`. Nothing can be done with its values.
///
/// Without this type, the compiler would compare every term of a long condition with every other way to read it before
/// it reports the misspelled name.
public struct UnknownMember<Root: ManagedObject>: Sendable {
  // Lets the compiler understand a comparison with a method such as caseInsensitiveCompare, and then report the method.

  /// A value to compare with.
  public static var orderedSame: UnknownMember { UnknownMember() }

  /// Compares values that no condition has.
  public static func == (left: UnknownMember, right: UnknownMember) -> Query<Root> { .none }
}

extension Term where Value: QueryValue {
  /// Unavailable, because conditions do not have this property or method.
  @available(*, unavailable, message: "conditions do not have this property or method")
  public subscript(dynamicMember name: String) -> UnknownMember<Root> { UnknownMember() }
}

extension Term where Value: RelatedCollection {
  /// Unavailable, because conditions do not have this property or method.
  @available(*, unavailable, message: "conditions do not have this property or method")
  public subscript(dynamicMember name: String) -> UnknownMember<Root> { UnknownMember() }
}
