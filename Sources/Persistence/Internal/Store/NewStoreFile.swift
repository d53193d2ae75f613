internal import Foundation

/// A file that an opening has made, and takes back when it fails.
///
/// Somebody else may have opened the same new file meanwhile, and be about to make a store of it. So the file is put
/// aside before it is looked at, and put back if anything was written to it; and whoever has made a store looks whether
/// the file is still in its place, before anybody is told of the store.
struct NewStoreFile {
  private let path: String
  private let made: Identity?

  private struct Identity: Equatable {
    let device: dev_t
    let number: ino_t
  }

  /// Before the file is opened.
  init?(_ place: StorePlace) {
    if place.isURI { return nil }
    path = place.name
    made = NewStoreFile.status(path).map { Identity(device: $0.st_dev, number: $0.st_ino) }
  }

  /// Whether the path still leads to the file.
  var isInPlace: Bool {
    NewStoreFile.status(path).map { Identity(device: $0.st_dev, number: $0.st_ino) } == made
  }

  /// The size of a file in which there is nothing, as long as its connection is open; nil if there may be something.
  func emptySize(_ connection: Connection?) -> Int64? {
    guard let connection else { return NewStoreFile.status(path)?.st_size == 0 ? 0 : nil }
    // Before it is looked what the file holds: a store that somebody makes after that has another size.
    let size = NewStoreFile.status(path).map { Int64($0.st_size) }
    do {
      guard try connection.statement("SELECT count(*) FROM sqlite_master").integer() == 0 else { return nil }
      return size
    } catch {
      // What cannot be read is not known to be empty; the file stays, unless it has no content at all.
      return NewStoreFile.status(path)?.st_size == 0 ? 0 : nil
    }
  }

  /// Removes the file, after its connection was closed, if it still has this size and no log.
  func remove(ifOf size: Int64) {
    let aside = path + ".unused"
    guard isInPlace, rename(path, aside) == 0 else { return }
    let hasLog = ["-wal", "-journal"].contains { NewStoreFile.status(path + $0) != nil }
    // Where another file has taken the place meanwhile, it keeps it.
    if hasLog || NewStoreFile.status(aside).map({ Int64($0.st_size) }) != size { link(aside, path) }
    unlink(aside)
  }

  private static func status(_ path: String) -> stat? {
    var status = stat()
    return lstat(path, &status) == 0 ? status : nil
  }
}
