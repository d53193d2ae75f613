/// An edit that was not made because it depends on related objects that could not be read.
///
/// Until the edit is made again or rolled back, no save succeeds, because it would store something other than what was
/// asked for. <doc:WhenSomethingGoesWrong> explains how to respond to this error.
public struct UnreadRelationship: Sendable {
  /// The name of the class of the object that was edited or deleted.
  public let type: String
  /// The object's id.
  public let id: Int64
  /// The name of the relationship that could not be read.
  public let relationship: String
  /// The error that prevented reading, such as ``PersistenceError/suspended``.
  public let reason: any Error
}

extension UnreadRelationship: CustomStringConvertible {
  /// A description of the edit, the reason and the remedy.
  public var description: String {
    "an edit of \(type) \(id) was not made, because \(relationship) could not be read (\(reason)): make it again, or roll "
      + "back"
  }
}
