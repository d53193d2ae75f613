import Foundation

/// The files of a store that was made once, to be laid out again for each row of a table.
struct StoredBefore: Sendable {
  private let files: [String: Data]

  /// Nothing.
  static let nothing = StoredBefore(files: [:])

  private init(files: [String: Data]) { self.files = files }

  /// What a closure leaves in a folder.
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
