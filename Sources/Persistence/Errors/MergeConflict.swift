/// An object that has been changed or deleted elsewhere since the context that is being saved read it.
///
/// <doc:WhenSomethingGoesWrong> explains each kind of conflict and how to respond to it.
public struct MergeConflict: Sendable, Hashable {
  /// What happened to the row.
  public enum Kind: Sendable, Hashable {
    /// The row's values have changed.
    case changed
    /// The row was deleted. The conflict lists the attributes that this context has set.
    case deleted
    /// An object that the row refers to was deleted.
    case dangling
    /// The change set does not list every change to the row.
    case incompleteChangeSet
  }

  /// What happened to the row.
  public let kind: Kind
  /// The class. For a dangling relationship, this lists the classes that were being saved.
  public let type: String
  /// The object's id, or nil if the database does not identify the object.
  public let id: Int64?
  /// The attributes that this context and another context have set to different values. For a deleted object, these are
  /// the attributes that this context has set, with null as the other context's value.
  public let attributes: [AttributeConflict]

  init(kind: Kind, type: String, id: Int64?, attributes: [AttributeConflict] = []) {
    self.kind = kind
    self.type = type
    self.id = id
    self.attributes = attributes
  }
}

extension MergeConflict: CustomStringConvertible {
  /// The object and what happened to it.
  public var description: String {
    let object = id.map { "\(type) \($0)" } ?? "a \(type)"
    if kind == .deleted, !attributes.isEmpty {
      let names = attributes.map(\.attribute).joined(separator: ", ")
      return "\(object) was deleted elsewhere: the values assigned to its \(names) cannot be saved"
    }
    return switch kind {
    case .changed:
      "\(object) was changed elsewhere since it was read"
        + (attributes.isEmpty ? "" : ": " + attributes.map(\.attribute).joined(separator: ", "))
    case .deleted: "\(object) was deleted elsewhere since it was read"
    case .incompleteChangeSet: "the changes to \(object) are not completely known"
    case .dangling: "an object that \(object) refers to was deleted elsewhere"
    }
  }
}
