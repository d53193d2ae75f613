internal import Foundation

/// A file created while opening a store, removed again if the opening fails.
///
/// Another process may have opened the same new file in the meantime, and be about to create a store in it. The file is
/// therefore renamed before it is inspected, and moved back if anything was written to it. In turn, whoever has created
/// a store checks that the file is still at its path before reporting success.
struct NewStoreFile {
  private let path: String
  private let made: OpenFile?

  /// Call this before the file is opened.
  init?(_ place: StorePlace) {
    if place.isURI { return nil }
    path = place.name
    made = OpenFile(path)
  }

  /// Whether the path still refers to the same file.
  var isInPlace: Bool { made?.isInPlace ?? false }

  /// The size of a file that contains nothing. Nil if it may contain something. Call this while its connection is open.
  func emptySize(_ connection: Connection?) -> Int64? {
    guard let connection else { return NewStoreFile.status(path)?.st_size == 0 ? 0 : nil }
    // Read the size before the contents: a store that someone creates after that has a different size.
    let size = NewStoreFile.status(path).map { Int64($0.st_size) }
    do {
      guard try connection.statement("SELECT count(*) FROM sqlite_master").integer() == 0 else { return nil }
      return size
    } catch {
      // Unreadable contents might not be empty. The file stays unless its size is zero.
      return NewStoreFile.status(path)?.st_size == 0 ? 0 : nil
    }
  }

  /// Removes the file if it still has this size and no log. Call this after its connection was closed.
  func remove(ifOf size: Int64) {
    let aside = path + ".unused"
    guard isInPlace, rename(path, aside) == 0 else { return }
    let hasLog = ["-wal", "-journal"].contains { NewStoreFile.status(path + $0) != nil }
    // If another file has taken the path in the meantime, that file stays.
    if hasLog || NewStoreFile.status(aside).map({ Int64($0.st_size) }) != size { link(aside, path) }
    unlink(aside)
  }

  private static func status(_ path: String) -> stat? {
    var status = stat()
    return lstat(path, &status) == 0 ? status : nil
  }
}
