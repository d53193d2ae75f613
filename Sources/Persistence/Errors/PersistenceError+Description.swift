extension PersistenceError: CustomStringConvertible {
  /// What went wrong and where, without any value of an attribute.
  public var description: String {
    switch self {
    case .cannotOpen(let failure): failure.description
    case .closed: "the container was closed"
    case .migrationFailed(let failure): failure.description
    case .invalidSchema(let problems): "the schema is wrong: " + problems.map(\.description).joined(separator: "; ")
    case .notInSchema(let type): "\(type) is not in the container's schema"
    case .notFound(let type, let id): "there is no \(type) with id \(id)"
    case .refused(let refusal): refusal.description
    case .foreignObject(let type): "an object of \(type) belongs to another context, or to none"
    case .wrongContext: "objects were used outside their context"
    case .unsavedChanges: "changes are pending, so that no commit can be undone or done again"
    case .noHistory: "the store keeps no history of its commits"
    case .nested: "a context's closure tried to save by itself"
    case .notPersisting: "bulk work outside of persist"
    case .invalidValue(let value): value.description
    case .invalidObject(let object): object.description
    case .notUnique(let violation): violation.description
    case .deletionDenied(let denial): denial.description
    case .conflict(let conflict): conflict.description
    case .readOnly: "the store is open for reading only"
    case .busy(let error): "the store is busy: \(error)"
    case .full(let error): "the store is full: \(error)"
    case .corrupt(let error): "the store is damaged: \(error)"
    case .sumOverflow: "a sum of whole numbers exceeds 64 bits"
    case .database(let error): "the database failed: \(error)"
    case .body(let error): "the closure threw: \(error)"
    case .cancelled: "cancelled before it began"
    case .indeterminate(let error): "the commit failed, and may yet have taken effect: \(error)"
    }
  }
}
