/// A conflict that occurs when an object has been changed or deleted outside this context since the context read it.
///
/// <doc:WhenSomethingGoesWrong> explains each kind of conflict and how to respond to it.
public struct MergeConflict: Sendable, Hashable {
  /// The kind of conflict.
  public enum Kind: Sendable, Hashable {
    /// The object's values have changed.
    case changed
    /// The object was deleted. The `attributes` property contains the attributes that this context has set.
    case deleted
    /// An object that a relationship refers to was deleted.
    case dangling
    /// The change set being applied does not list every change to the object.
    case incompleteChangeSet
  }

  /// The kind of conflict.
  public let kind: Kind
  /// The name of the object's class. For a `dangling` conflict, this property contains the names of all classes with
  /// objects that were being saved.
  public let type: String
  /// The object's id, or nil if it is not known which object caused the conflict.
  public let id: Int64?
  /// The attributes that this context and another context have set to different values. For a deleted object, the array
  /// contains the attributes that this context has set, with `null` as the other context's value.
  public let attributes: [AttributeConflict]

  init(kind: Kind, type: String, id: Int64?, attributes: [AttributeConflict] = []) {
    self.kind = kind
    self.type = type
    self.id = id
    self.attributes = attributes
  }
}

extension MergeConflict: CustomStringConvertible {
  /// A description of the object and the conflict.
  public var description: String {
    let object = id.map { "\(type) \($0)" } ?? "a \(type)"
    if kind == .deleted, !attributes.isEmpty {
      let names = attributes.map(\.attribute).joined(separator: ", ")
      return "\(object) was deleted: the values assigned to its \(names) cannot be saved"
    }
    return switch kind {
    case .changed:
      "\(object) was changed elsewhere since it was read"
        + (attributes.isEmpty ? "" : ": " + attributes.map(\.attribute).joined(separator: ", "))
    case .deleted: "\(object) was deleted since it was read"
    case .incompleteChangeSet: "the changes to \(object) are not completely known"
    case .dangling: "an object that \(object) refers to was deleted"
    }
  }
}
