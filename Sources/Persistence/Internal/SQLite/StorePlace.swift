internal import Foundation

/// What SQLite is asked to open.
struct StorePlace: Sendable {
  let name: String
  let isURI: Bool
  /// What errors say.
  let description: String

  /// The name of a file that nobody can change.
  var immutableName: String {
    let path = name.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? name
    return "file:\(path)?immutable=1"
  }

  init(_ location: StoreLocation) {
    switch location {
    case .file(let url):
      name = url.path
      isURI = false
      // Whatever else it may be, a URL that names no file may hold a password.
      description = url.isFileURL ? url.path : "at a URL"
    case .inMemory:
      // A name that starts with a slash is shared by the connections of this process (SQLite 3.36).
      name = "file:/\(UUID().uuidString)?vfs=memdb"
      isURI = true
      description = "memory"
    }
  }
}
