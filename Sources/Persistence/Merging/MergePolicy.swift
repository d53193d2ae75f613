/// What a save does about attributes that somebody else has changed too.
///
/// A context saves changes of attributes that nobody else has touched since it read the object, and takes the others'
/// values of the rest: such changes are merged under every policy. A policy decides about an attribute for which both
/// have a new value, and these differ; with ``decidingAboutEqualValues``, also if they are equal. To-one relationships
/// count as attributes.
///
/// ```swift
/// let context = container.newContext(merging: .custom { conflict in
///   conflict.attribute == "rating" ? .mine : .report
/// })
/// ```
///
/// An object that somebody else has deleted cannot be merged: with ``theirs`` it is deleted here too, otherwise the
/// save throws. An object that is deleted here and was changed by somebody else is deleted with ``mine``; otherwise the
/// save throws.
public struct MergePolicy: Sendable {
  /// What becomes of an attribute that both have changed.
  public enum Choice: Sendable, Hashable {
    /// The save throws ``PersistenceError/conflict(_:)`` with all such attributes.
    case report
    /// This context's value is saved.
    case mine
    /// This context's value is given up.
    case theirs
    /// Another value is saved. One that is none of the attribute's type is reported as a conflict.
    case value(StoredValue)
  }

  enum Kind: Sendable {
    case report, mine, theirs
    case custom(@Sendable (AttributeConflict) -> Choice)
  }

  let kind: Kind
  /// Whether the policy also decides about an attribute to which both contexts have given the same new value.
  public private(set) var decidesAboutEqualValues = false

  /// The save throws ``PersistenceError/conflict(_:)``, with base, mine and theirs of each attribute. This is the
  /// default.
  public static let report = MergePolicy(kind: .report)

  /// This context's values are saved.
  public static let mine = MergePolicy(kind: .mine)

  /// This context's values are given up.
  public static let theirs = MergePolicy(kind: .theirs)

  /// A closure decides about each attribute. It is called while the store is being written, and must not use it. About
  /// deleted objects it is not asked: they are conflicts.
  public static func custom(_ decide: @escaping @Sendable (AttributeConflict) -> Choice) -> MergePolicy {
    MergePolicy(kind: .custom(decide))
  }

  /// The same policy, which also decides about an attribute to which both contexts have given the same new value.
  ///
  /// By default equal values are no conflict: importing the same data twice must not fail. Where a value was calculated
  /// from the old one, as a counter is, equal results hide a lost update: both have counted from 1 to 2, and the result
  /// should be 3. ``ObjectSpace/increment(_:_:by:)`` is merged without a conflict.
  public var decidingAboutEqualValues: MergePolicy {
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
