/// A value in a condition, such as a property of a ``Row``.
///
/// ```swift
/// let found = try objects.fetch(Movie.self, where: { movie in
///   movie.rating > 7 && movie.director.name == "Coen" && movie.familyMembers.contains { $0.name == "Ada" }
/// })
/// ```
///
/// Comparing a term results in a ``Query``, which is a term with a value of type `Bool`. An attribute of this type is
/// therefore also a condition by itself. The members of a to-one relationship are the properties of the related object.
/// They are nil if there is no related object, and its to-many relationships are then empty.
@dynamicMemberLookup
public struct Term<Root: ManagedObject, Value>: Sendable {
  @usableFromInline let scoped: ScopedExpression

  @inlinable init(_ scoped: ScopedExpression) { self.scoped = scoped }

  /// A property of the object that a to-one relationship refers to, or nil if it refers to none.
  @inlinable
  public subscript<Target: ManagedObject, Part>(
    dynamicMember path: any KeyPath<Target, Part> & Sendable
  ) -> Term<Root, Part> where Value == Target? {
    Term<Root, Part>(scoped.member(path))
  }
}
