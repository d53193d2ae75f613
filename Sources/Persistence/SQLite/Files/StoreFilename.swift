internal import Foundation

/// What SQLite opens: the path of a file, or a URI.
struct StoreFilename: Sendable {
  let text: String
  let isURI: Bool
  /// The location as error texts show it.
  let description: String

  /// The URI for opening a file that no one can change.
  var immutableURI: String {
    let path = text.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? text
    return "file:\(path)?immutable=1"
  }

  init(_ location: StoreLocation) {
    switch location {
    case .file(let url):
      text = url.path
      isURI = false
      // A URL that does not name a file might contain a password.
      description = url.isFileURL ? url.path : "at a URL"
    case .inMemory:
      // The connections of this process share a name that starts with a slash (SQLite 3.36).
      text = "file:/\(UUID().uuidString)?vfs=memdb"
      isURI = true
      description = "memory"
    }
  }
}
