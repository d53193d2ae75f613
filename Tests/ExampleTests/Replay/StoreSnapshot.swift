import Foundation

/// The files of a store that is made once and written again for each row of a table.
struct StoreSnapshot: Sendable {
  private let files: [String: Data]

  /// No files.
  static let nothing = StoreSnapshot(files: [:])

  private init(files: [String: Data]) { self.files = files }

  /// The files that a closure leaves in a folder.
  init(filledBy fill: (TemporaryFolder) async throws -> Void) async throws {
    let folder = try TemporaryFolder()
    try await fill(folder)
    var files: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
      let url = folder.url.appending(path: name)
      if try url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true {
        files[name] = try Data(contentsOf: url)
      }
    }
    self.files = files
  }

  func lay(in folder: TemporaryFolder) throws {
    for (name, data) in files { try data.write(to: folder.url.appending(path: name)) }
  }
}
