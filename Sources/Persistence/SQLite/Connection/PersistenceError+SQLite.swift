internal import CLarderSQLite

extension PersistenceError {
  /// Maps a SQLite error to a case. Code that knows the class names violated constraints.
  init(_ error: DatabaseError) {
    self =
      switch error.primaryCode {
      // SQLite reports a protocol error when others have prevented it from beginning a read a hundred times.
      case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: .busy(error)
      case SQLITE_FULL: .full(error)
      // Only a suspension interrupts statements, except for those of `SQLQuery`, which are cancelled with their task.
      case SQLITE_INTERRUPT: .suspended
      // With an extended code it means something else, such as a file that was moved away.
      case SQLITE_READONLY where error.code == SQLITE_READONLY: .readOnly
      case SQLITE_CORRUPT, SQLITE_NOTADB: .corrupt(error)
      // SQLite has no separate code for it.
      case SQLITE_ERROR where error.message == DatabaseError.integerOverflow: .sumOverflow
      default: .database(error)
      }
  }

  static func noIDs(leftFor type: String) -> PersistenceError {
    .full(DatabaseError(code: SQLITE_FULL, message: "there are no ids left for \(type)"))
  }
}

extension DatabaseError {
  static let integerOverflow = "integer overflow"

  var isNotADatabase: Bool { primaryCode == SQLITE_NOTADB }

  var isCannotOpen: Bool { primaryCode == SQLITE_CANTOPEN }

  var deniesAccess: Bool { [SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH].contains(primaryCode) }

  /// Whether the header makes no sense. SQLite has no separate code for it.
  var isUnknownFormat: Bool { primaryCode == SQLITE_ERROR && message == "unsupported file format" }

  /// Whether the file has lost its name when SQLite was about to create a log next to it.
  var isNameGone: Bool { code == SQLITE_IOERR | 7 << 8 }

  var isConstraint: Bool { primaryCode == SQLITE_CONSTRAINT }

  // The extended codes are macros that Swift cannot import.
  private static let foreignKey = SQLITE_CONSTRAINT | 3 << 8
  private static let primaryKey = SQLITE_CONSTRAINT | 6 << 8
  private static let unique = SQLITE_CONSTRAINT | 8 << 8

  var isPrimaryKey: Bool { code == Self.primaryKey }

  var isUniqueness: Bool { code == Self.unique || isPrimaryKey }

  /// Whether the statement or its values are at fault, rather than the store.
  var isOfStatement: Bool {
    switch primaryCode {
    case SQLITE_ERROR, SQLITE_CONSTRAINT, SQLITE_TOOBIG, SQLITE_MISMATCH, SQLITE_MISUSE, SQLITE_AUTH, SQLITE_RANGE: true
    default: false
    }
  }

  /// Whether a statement refers to a table or column of a class that the store does not have.
  var isOfMissingTable: Bool {
    primaryCode == SQLITE_ERROR && !message.contains(": _larder_")
      && (message.hasPrefix("no such table: ") || message.hasPrefix("no such column: "))
  }

  /// Whether a value or a statement exceeds SQLite's maximum length, by default a billion bytes.
  var isTooBig: Bool { primaryCode == SQLITE_TOOBIG }

  /// Whether the statement exceeds SQLite's compile-time limits. Except for length, these have no separate codes.
  var isOfLimits: Bool {
    let texts = [
      "parser stack overflow", "Expression tree is too large", "too many SQL variables", "at most 64 tables in a join",
      "too many FROM clause terms",
    ]
    return isTooBig || primaryCode == SQLITE_ERROR && texts.contains { message.hasPrefix($0) }
  }

  /// Why FTS5 refuses the text of a search, or nil for any other error. Its messages quote the text, which is left out.
  var searchTextRefusal: UnsupportedQueryError? {
    guard primaryCode == SQLITE_ERROR, sql?.contains(" MATCH ") == true else { return nil }
    let reasons = [
      "fts5: syntax error": "it is not valid in the syntax of FTS5",
      "unterminated string": "a quote is not closed",
      "no such column": "it names a column that is not a searchable attribute",
      "expected integer": "NEAR needs a number after its comma",
      "fts5": "FTS5 cannot evaluate it",
    ]
    let reason = reasons.keys.sorted { $0.count > $1.count }.first { message.hasPrefix($0) }
    return reason.flatMap { reasons[$0] }.map { UnsupportedQueryError("a search text", $0) }
  }

  var isForeignKey: Bool { code == Self.foreignKey }
}
