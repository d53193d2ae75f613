internal import CSQLite

extension PersistenceError {
  /// The case for a failure of SQLite. Violated constraints are named by those who know the class.
  init(_ error: DatabaseError) {
    self =
      switch error.primaryCode {
      // A protocol error is what SQLite says when others have kept it from beginning to read a hundred times.
      case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: .busy(error)
      case SQLITE_FULL: .full(error)
      // With an extension it is something else, as a file that was moved away.
      case SQLITE_READONLY where error.code == SQLITE_READONLY: .readOnly
      case SQLITE_CORRUPT, SQLITE_NOTADB: .corrupt(error)
      // It has no code of its own.
      case SQLITE_ERROR where error.message == "integer overflow": .sumOverflow
      default: .database(error)
      }
  }

  static func noIDs(left entity: Entity) -> PersistenceError {
    .full(DatabaseError(code: SQLITE_FULL, message: "there are no ids left for \(entity.name)"))
  }
}

extension DatabaseError {
  var isNotADatabase: Bool { primaryCode == SQLITE_NOTADB }

  var isCannotOpen: Bool { primaryCode == SQLITE_CANTOPEN }

  var deniesAccess: Bool { [SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH].contains(primaryCode) }

  /// A header that makes no sense. SQLite has no code of its own for it.
  var isUnknownFormat: Bool { primaryCode == SQLITE_ERROR && message == "unsupported file format" }

  /// Whether the file has lost its name while a log was to be made beside it.
  var isNameGone: Bool { code == SQLITE_IOERR | 7 << 8 }

  var isConstraint: Bool { primaryCode == SQLITE_CONSTRAINT }

  // The extended codes are macros that Swift cannot import.
  private static let foreignKey = SQLITE_CONSTRAINT | 3 << 8
  private static let primaryKey = SQLITE_CONSTRAINT | 6 << 8
  private static let unique = SQLITE_CONSTRAINT | 8 << 8

  var isPrimaryKey: Bool { code == Self.primaryKey }

  var isUniqueness: Bool { code == Self.unique || isPrimaryKey }

  /// Whether the statement or its values are wrong, and not the store.
  var isOfStatement: Bool {
    switch primaryCode {
    case SQLITE_ERROR, SQLITE_CONSTRAINT, SQLITE_TOOBIG, SQLITE_MISMATCH, SQLITE_MISUSE, SQLITE_AUTH, SQLITE_RANGE: true
    default: false
    }
  }

  /// Whether a value, or a statement, is longer than SQLite takes: a billion bytes, most often.
  var isTooBig: Bool { primaryCode == SQLITE_TOOBIG }

  /// Whether the statement exceeds what SQLite was built for. But for its length there are no codes of their own.
  var isOfLimits: Bool {
    let texts = [
      "parser stack overflow", "Expression tree is too large", "too many SQL variables", "at most 64 tables in a join",
      "too many FROM clause terms",
    ]
    return isTooBig || primaryCode == SQLITE_ERROR && texts.contains { message.hasPrefix($0) }
  }

  var isForeignKey: Bool { code == Self.foreignKey }
}
