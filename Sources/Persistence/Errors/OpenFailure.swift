/// Why a store could not be opened.
public struct OpenFailure: Error, Sendable {
  /// What is wrong.
  public enum Reason: Sendable, Hashable {
    /// The URL is not that of a file, or there is a folder.
    case notAFile
    /// The folder that should hold the file does not exist.
    case missingFolder
    /// The file or its folder may not be read and written by this process.
    case noPermission
    /// The file is something else than a SQLite database.
    case notADatabase
    /// The file is a database of another program.
    case notAStore
    /// The file is damaged.
    case corrupt
    /// The file ends before it should, or is empty where its log is not.
    case truncated
    /// There is no room on the disk.
    case full
    /// Somebody else kept the file busy for too long.
    case busy
    /// The store was written by a newer version of the program, or of this library.
    case tooNew
    /// The store is in a file format of an older version of this library, which is not read any more.
    case tooOld
    /// The store is of an older version, and is not to be migrated automatically.
    case migrationNeeded
    /// The tables of the store do not fit the schema, and cannot be made to; the text says where.
    case wrongSchema(String)
    /// There is no such file.
    case missing
    /// A file that should be made is there already.
    case exists
    /// The system failed in another way.
    case system
  }

  /// What is wrong.
  public let reason: Reason
  /// The path of the file, or `memory`.
  public let place: String
  /// What SQLite said, if it was asked.
  public let underlying: DatabaseError?
}

extension OpenFailure: CustomStringConvertible {
  /// What is wrong, and with which file.
  public var description: String {
    "cannot open the store \(place): " + reasonText + (underlying.map { ": \($0)" } ?? "")
  }

  private var reasonText: String {
    switch reason {
    case .notAFile: "it is no file"
    case .missingFolder: "its folder does not exist"
    case .noPermission: "this process may not read and write it"
    case .notADatabase: "the file is not a database"
    case .notAStore: "the file is a database of another program"
    case .corrupt: "the file is damaged"
    case .truncated: "a part of the file is missing"
    case .full: "the disk is full"
    case .busy: "it is busy"
    case .tooNew: "it was written by a newer version"
    case .tooOld: "it was written by an older version of this library, whose file format is not read any more"
    case .migrationNeeded: "it has to be migrated first"
    case .missing: "there is no such file"
    case .exists: "the file is there already"
    case .wrongSchema(let text): "its tables do not fit the schema: \(text)"
    case .system: "the system failed"
    }
  }
}
