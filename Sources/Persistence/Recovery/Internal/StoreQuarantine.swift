internal import Foundation

/// Quarantines corrupt files under a new name.
enum StoreQuarantine {
  static func move(_ url: URL) throws(PersistenceError) -> URL {
    let place = StorePlace(.file(url))
    guard url.isFileURL else { throw StoreFile.failure(.notAFile, place) }
    let there = StoreFile.suffixes.filter { access(url.path + $0, F_OK) == 0 }
    guard !there.isEmpty else { throw StoreFile.failure(.missing, place) }
    for number in 1..<10_000 {
      let name = url.path + ".corrupt-\(number)"
      if StoreFile.suffixes.contains(where: { access(name + $0, F_OK) == 0 }) { continue }
      guard try move(url.path, there, to: name, place) else { continue }
      StoreFile.syncFolder(of: url)
      return URL(filePath: name)
    }
    throw StoreFile.failure(.system, place)
  }

  /// Gives all files both names before the first of them loses its old one. They stay together even if the process ends
  /// in between. Returns false if someone else has taken the name in the meantime.
  private static func move(
    _ path: String, _ suffixes: [String], to name: String, _ place: StorePlace
  ) throws(PersistenceError) -> Bool {
    var linked: [String] = []
    for suffix in suffixes {
      if link(path + suffix, name + suffix) == 0 {
        linked.append(suffix)
        continue
      }
      let code = errno
      for suffix in linked { unlink(name + suffix) }
      if code == EEXIST { return false }
      if code == EACCES || code == EROFS || code == EPERM && access(place.name, W_OK) != 0 {
        throw StoreFile.failure(.noPermission, place)
      }
      // The file system has no hard links: move the files one by one.
      guard code == EPERM || code == ENOTSUP || code == EMLINK else { throw StoreFile.failure(.system, place) }
      do {
        for suffix in suffixes.reversed() {
          try FileManager.default.moveItem(atPath: path + suffix, toPath: name + suffix)
        }
        return true
      } catch {
        throw StoreFile.failure(.system, place)
      }
    }
    for suffix in suffixes.reversed() { unlink(path + suffix) }
    return true
  }
}
