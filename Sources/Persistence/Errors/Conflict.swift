/// An object that somebody else changed or deleted since this context read it.
public struct Conflict: Sendable, Hashable {
  /// What happened to the row.
  public enum Kind: Sendable, Hashable {
    /// It has other values now.
    case changed
    /// It is gone. Its attributes that were set nevertheless are listed.
    case deleted
    /// An object that it leads to is gone.
    case dangling
    /// A change set does not tell all that was changed in it.
    case untold
  }

  /// What happened to the row.
  public let kind: Kind
  /// The class. For a dangling relationship, the classes that were being saved.
  public let type: String
  /// The object, or nil where the database does not tell which.
  public let id: Int64?
  /// The attributes that this context and another one have set to different values; for an object that is gone, those
  /// that this context has set, with a null for the other one's value.
  public let attributes: [AttributeConflict]

  init(kind: Kind, type: String, id: Int64?, attributes: [AttributeConflict] = []) {
    self.kind = kind
    self.type = type
    self.id = id
    self.attributes = attributes
  }
}

extension Conflict: CustomStringConvertible {
  /// Object and kind.
  public var description: String {
    let object = "\(type)" + (id.map { " \($0)" } ?? "")
    if kind == .deleted, !attributes.isEmpty {
      let names = attributes.map(\.attribute).joined(separator: ", ")
      return "the \(object) is deleted, so that what was assigned to its \(names) cannot be saved"
    }
    return switch kind {
    case .changed: "the \(object) was changed by somebody else since it was read"
    case .deleted: "the \(object) was deleted by somebody else since it was read"
    case .untold: "not all that was changed in the \(object) is known"
    case .dangling: "an object that \(object) leads to was deleted by somebody else"
    }
  }
}
