/// A value in a condition, such as a property of a ``Row``.
///
/// ```swift
/// let found = try objects.fetch(Movie.self, where: { movie in
///   movie.rating > 7 && movie.director.name == "Coen" && movie.familyMembers.contains { $0.name == "Ada" }
/// })
/// ```
///
/// Comparing a term produces a ``Query``, which is a term with a value of type `Bool`. A `Bool` attribute can therefore
/// be used as a condition without a comparison. The term for a to-one relationship has the properties of the related
/// object. If an object has no related object, the term's attributes are nil, and its to-many relationships are empty.
@dynamicMemberLookup
public struct Term<Root: ManagedObject, Value>: Sendable {
  @usableFromInline let scoped: ScopedExpression

  @inlinable init(_ scoped: ScopedExpression) { self.scoped = scoped }

  /// A property of the object that a to-one relationship refers to, or nil if there is no related object.
  @inlinable
  public subscript<Target: ManagedObject, Part>(
    dynamicMember path: any KeyPath<Target, Part> & Sendable
  ) -> Term<Root, Part> where Value == Target? {
    Term<Root, Part>(scoped.member(path))
  }
}
