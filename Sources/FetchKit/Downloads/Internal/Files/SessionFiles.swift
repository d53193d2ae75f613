internal import Foundation

/// The layout of a session's files below its directory.
struct SessionFiles: Sendable {
  let root: URL
  let lock: String
  let journal: String
  let parts: String
  let files: URL

  init(identifier: String, in directory: URL) {
    root =
      directory.appending(path: FileNames.component(for: identifier), directoryHint: .isDirectory)
      .standardizedFileURL
    lock = Self.path(root.appending(path: "lock"))
    journal = Self.path(root.appending(path: "journal"))
    parts = Self.path(root.appending(path: "Parts"))
    files = root.appending(path: "Files", directoryHint: .isDirectory)
  }

  func part(_ number: UInt64) -> String { "\(parts)/\(number).part" }

  /// The destination as stored in the journal: relative to the root if it is below it, so that it remains valid when
  /// the root moves.
  func stored(_ destination: URL) -> String {
    let path = Self.path(destination.standardizedFileURL)
    let base = Self.path(root) + "/"
    return path.hasPrefix(base) ? String(path.dropFirst(base.count)) : path
  }

  func path(stored: String) -> String {
    stored.hasPrefix("/") ? stored : "\(Self.path(root))/\(stored)"
  }

  func url(stored: String) -> URL {
    URL(filePath: path(stored: stored), directoryHint: .notDirectory)
  }

  func defaultDestination(for name: String) -> String {
    "Files/\(FileNames.component(for: name))"
  }

  private static func path(_ url: URL) -> String {
    var path = url.path(percentEncoded: false)
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }
}
