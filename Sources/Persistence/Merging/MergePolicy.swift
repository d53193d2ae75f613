/// Determines how a save handles attributes that another context has also changed.
///
/// Every policy merges changes to different attributes of an object. A context saves its own change to an attribute if
/// no other context has changed this attribute in the meantime, and it receives the new values of the attributes that
/// it has not changed itself. By default, the policy applies only to an attribute to which this context and another
/// context have assigned different values. A policy made with ``resolvingEqualValues`` also applies to an attribute to
/// which both contexts have assigned the same new value. To-one relationships are treated like attributes.
///
/// ```swift
/// let context = container.newContext(merging: .custom { conflict in
///   conflict.attribute == "rating" ? .mine : .report
/// })
/// ```
///
/// A deletion cannot be merged with a change. If another context has deleted an object that this context has changed,
/// the ``theirs`` policy also deletes the object in this context. If this context has deleted an object that another
/// context has changed, the ``mine`` policy deletes the object from the store. In all other cases, the save throws a
/// ``PersistenceError/conflict(_:)``.
public struct MergePolicy: Sendable {
  /// How to resolve the conflict over an attribute that two contexts have changed.
  public enum Choice: Sendable, Hashable {
    /// Makes the save throw a ``PersistenceError/conflict(_:)`` that lists every attribute for which this choice was
    /// made.
    case report
    /// Saves this context's value.
    case mine
    /// Discards this context's value and keeps the value in the store.
    case theirs
    /// Saves the given value in place of both conflicting values. If the given value does not have the attribute's
    /// type, the save throws a ``PersistenceError/conflict(_:)``.
    case value(StoredValue)
  }

  enum Kind: Sendable {
    case report, mine, theirs
    case custom(@Sendable (AttributeConflict) -> Choice)
  }

  let kind: Kind
  /// Whether the policy also applies to an attribute to which both contexts have assigned the same new value.
  public private(set) var decidesAboutEqualValues = false

  /// Makes the save throw a ``PersistenceError/conflict(_:)``. For each conflicting attribute, the error contains the
  /// original value, this context's value and the value in the store. This policy is the default.
  public static let report = MergePolicy(kind: .report)

  /// Saves this context's values of the conflicting attributes.
  public static let mine = MergePolicy(kind: .mine)

  /// Discards this context's values of the conflicting attributes and keeps the values in the store.
  public static let theirs = MergePolicy(kind: .theirs)

  /// Resolves the conflict over each attribute by calling a closure.
  ///
  /// The closure is called while the store is being written and must not use the store. The closure is not called if
  /// one of the contexts has deleted the object: the save then throws a ``PersistenceError/conflict(_:)``.
  public static func custom(_ decide: @escaping @Sendable (AttributeConflict) -> Choice) -> MergePolicy {
    MergePolicy(kind: .custom(decide))
  }

  /// A copy of this policy that also applies to attributes to which both contexts have assigned the same new value.
  ///
  /// By default, equal values are not a conflict, so that importing the same data twice does not fail. However, if a
  /// new value is calculated from the previous value, as in a counter, equal values hide a lost update: if both
  /// contexts increment 1 to 2, the result should be 3. ``ObjectSpace/increment(_:_:by:)`` merges increments without a
  /// conflict.
  public var resolvingEqualValues: MergePolicy {
    var policy = self
    policy.decidesAboutEqualValues = true
    return policy
  }

  func choice(about conflict: AttributeConflict) -> Choice {
    switch kind {
    case .report: .report
    case .mine: .mine
    case .theirs: .theirs
    case .custom(let decide): decide(conflict)
    }
  }

  var prefersMine: Bool { if case .mine = kind { true } else { false } }

  var prefersTheirs: Bool { if case .theirs = kind { true } else { false } }
}
