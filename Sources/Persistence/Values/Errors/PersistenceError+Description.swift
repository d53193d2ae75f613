public import Foundation

extension PersistenceError: CustomStringConvertible {
  /// What went wrong and where, without any attribute values.
  public var description: String {
    switch self {
    case .cannotOpen(let failure): failure.description
    case .closed: "the container was closed"
    case .suspended: "the container is suspended: call resume() first"
    case .migrationFailed(let failure): failure.description
    case .invalidSchema(let problems): "the schema is invalid: " + problems.map(\.description).joined(separator: "; ")
    case .notInSchema(let type): "\(type) is not in the container's schema"
    case .notFound(let type, let id): "there is no \(type) with id \(id)"
    case .unsupportedQuery(let refusal): refusal.description
    case .queryFailed(let failure): failure.description
    case .foreignObject(let type):
      "this \(type) belongs to another context, or to none: insert it, or fetch it here by its id"
    case .wrongContext: "objects were used outside their context"
    case .unsavedChanges: "changes are pending: save them or roll them back before calling undo or redo"
    case .noHistory: "the store keeps no history of its commits"
    case .nested: "persist or save was called inside a closure of the same context"
    case .notPersisting: "a bulk operation was called outside of persist"
    case .invalidValue(let value): value.description
    case .invalidObject(let object): object.description
    case .notUnique(let violation): violation.description
    case .deleteRule(let denial): denial.description
    case .unreadRelationship(let edit): edit.description
    case .conflict(let conflict): conflict.description
    case .readOnly: "the store is read-only"
    case .busy(let error): "the store is busy: \(error)"
    case .full(let error): "the store is full: \(error)"
    case .corrupt(let error): "the store is corrupt: \(error)"
    case .sumOverflow: "a sum of integers exceeds 64 bits, or a sum of decimals 38 digits"
    case .database(let error): "the database failed: \(error)"
    case .body(let error): "the closure threw: \(error)"
    case .cancelled: "the task was cancelled before the closure began"
    case .indeterminate(let error): "the commit failed, but may have taken effect: \(error)"
    }
  }
}

extension PersistenceError: LocalizedError {
  /// The same text as ``description``.
  public var errorDescription: String? { description }
}
