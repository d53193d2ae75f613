internal import Foundation

/// The location that SQLite opens.
struct StorePlace: Sendable {
  let name: String
  let isURI: Bool
  /// The location as error texts show it.
  let description: String

  /// The name for opening a file that no one can change.
  var immutableName: String {
    let path = name.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? name
    return "file:\(path)?immutable=1"
  }

  init(_ location: StoreLocation) {
    switch location {
    case .file(let url):
      name = url.path
      isURI = false
      // A URL that does not name a file might contain a password.
      description = url.isFileURL ? url.path : "at a URL"
    case .inMemory:
      // The connections of this process share a name that starts with a slash (SQLite 3.36).
      name = "file:/\(UUID().uuidString)?vfs=memdb"
      isURI = true
      description = "memory"
    }
  }
}
