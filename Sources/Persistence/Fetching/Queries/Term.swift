/// A value in a condition, such as a property of a ``Row``.
///
/// ```swift
/// let found = try objects.fetch(Movie.self, where: { movie in
///   movie.rating > 7 && movie.director.name == "Coen" && movie.familyMembers.contains { $0.name == "Ada" }
/// })
/// ```
///
/// Comparing a term produces a ``Query``, which is a term whose value is a `Bool`. A `Bool` attribute is therefore a
/// condition in itself. The members of a to-one relationship are the related object's properties. If there is no
/// related object, its attributes are nil and its to-many relationships are empty.
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
