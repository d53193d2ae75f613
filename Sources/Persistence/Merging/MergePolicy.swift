/// How a save handles attributes that were also changed elsewhere.
///
/// Every policy merges changes to different attributes: a context saves its changes to attributes that no other context
/// has changed since it read the object, and receives the new values of attributes that it has not changed itself. The
/// policy is consulted only for an attribute to which both sides have assigned different new values. With
/// ``resolvingEqualValues``, the policy is also consulted if the two values are equal. To-one relationships count as
/// attributes.
///
/// ```swift
/// let context = container.newContext(merging: .custom { conflict in
///   conflict.attribute == "rating" ? .mine : .report
/// })
/// ```
///
/// Deletions cannot be merged. If an object was deleted elsewhere, ``theirs`` also deletes it here, and every other
/// policy makes the save throw. If an object was deleted here and changed elsewhere, ``mine`` deletes it, and every
/// other policy makes the save throw.
public struct MergePolicy: Sendable {
  /// How to resolve a conflict over an attribute that both sides have changed.
  public enum Choice: Sendable, Hashable {
    /// The save throws a ``PersistenceError/conflict(_:)`` that lists all such attributes.
    case report
    /// Saves this context's value.
    case mine
    /// Discards this context's value.
    case theirs
    /// Saves a different value. If the value does not have the attribute's type, the save reports a conflict.
    case value(StoredValue)
  }

  enum Kind: Sendable {
    case report, mine, theirs
    case custom(@Sendable (AttributeConflict) -> Choice)
  }

  let kind: Kind
  /// Whether the policy is also consulted for an attribute to which both sides have assigned the same new value.
  public private(set) var decidesAboutEqualValues = false

  /// The save throws a ``PersistenceError/conflict(_:)`` with each attribute's base value, this context's value and the
  /// other value. This policy is the default.
  public static let report = MergePolicy(kind: .report)

  /// Saves this context's values.
  public static let mine = MergePolicy(kind: .mine)

  /// Discards this context's values.
  public static let theirs = MergePolicy(kind: .theirs)

  /// Resolves the conflict over each attribute by calling a closure.
  ///
  /// The closure is called while the store is being written and must not use the store. It is not called for deleted
  /// objects, which always cause a conflict.
  public static func custom(_ decide: @escaping @Sendable (AttributeConflict) -> Choice) -> MergePolicy {
    MergePolicy(kind: .custom(decide))
  }

  /// A copy of this policy that is also consulted for an attribute to which both sides have assigned the same new
  /// value.
  ///
  /// By default, equal values are not a conflict, because importing the same data twice must not fail. For a value
  /// calculated from its previous value, such as a counter, equal results hide a lost update: if both sides increment 1
  /// to 2, the result should be 3. ``ObjectSpace/increment(_:_:by:)`` merges such changes without a conflict.
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
