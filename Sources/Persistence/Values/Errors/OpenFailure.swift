/// The reason that a store could not be opened.
///
/// <doc:WhenSomethingGoesWrong> explains each reason and how to respond to it.
public struct OpenFailure: Sendable {
  /// What prevented the store from being opened.
  public enum Reason: Sendable, Hashable {
    /// The URL is not a file URL, or it refers to a folder.
    case notAFile
    /// The folder that should contain the file does not exist.
    case missingDirectory
    /// This process does not have the permissions that it needs for the file or its folder.
    case noPermission
    /// The file is not a SQLite database.
    case notADatabase
    /// The file is a SQLite database that belongs to another program.
    case notAStore
    /// The file is corrupt.
    case corrupt
    /// The file is shorter than it should be, or the file is empty but its log is not.
    case truncated
    /// The file does not exist, but its log does: the file was deleted or moved without the log. The store cannot be
    /// restored from the log, because the log contains only the most recent commits.
    case orphanedLog
    /// The disk is full.
    case full
    /// Another process or container kept the file busy for longer than the timeout.
    case busy
    /// The store was written by a newer version of the program, or of this library.
    case tooNew
    /// The store uses the file format of an older version of this library. This version cannot read that format.
    case tooOld
    /// The store needs a migration, and automatic migration is turned off.
    case migrationNeeded
    /// The store's tables do not match the schema and cannot be migrated. The associated string describes the part that
    /// does not match.
    case wrongSchema(String)
    /// The schema has searchable attributes, but the SQLite library was built without FTS5.
    case noFullTextSearch
    /// The file does not exist.
    case missing
    /// The file or its log was moved, deleted or replaced while the container had it open. Nothing is written until it
    /// is back.
    case moved
    /// The file to be created already exists.
    case exists
    /// Opening the store failed for another reason, for example because of an operating system error.
    case system
  }

  /// What prevented the store from being opened.
  public let reason: Reason
  /// The path of the file, or `memory` for a store in memory.
  public let place: String
  /// The error that SQLite reported, if there was one.
  public let underlying: DatabaseError?
}

extension OpenFailure: CustomStringConvertible {
  /// A description of the file and the reason for the failure.
  public var description: String {
    "cannot open the store \(place): " + reasonText + (underlying.map { ": \($0)" } ?? "")
  }

  private var reasonText: String {
    switch reason {
    case .notAFile: "it is not a file"
    case .missingDirectory: "its folder does not exist"
    case .noPermission: "this process has no permission to read and write it"
    case .notADatabase: "the file is not a database"
    case .notAStore: "the file is a database of another program"
    case .corrupt: "the file is corrupt"
    case .truncated: "part of the file is missing"
    case .orphanedLog: "the file does not exist, but its log does; restore the file, or delete the log as well"
    case .full: "the disk is full"
    case .busy: "it is busy"
    case .tooNew: "it was written by a newer version"
    case .tooOld: "it was written by an older version of this library, whose file format is no longer supported"
    case .migrationNeeded: "it must be migrated first"
    case .missing: "the file does not exist"
    case .moved:
      "the file or its log was moved, deleted or replaced while it was open; put it back, or close this container and "
        + "then open the store that you want to use"
    case .exists: "the file already exists"
    case .wrongSchema(let text): "its tables do not match the schema: \(text)"
    case .noFullTextSearch: "it has searchable attributes, but the SQLite library was built without FTS5"
    case .system: "the system failed"
    }
  }
}
