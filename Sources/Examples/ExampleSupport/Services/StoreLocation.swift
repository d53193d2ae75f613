import Foundation

/// Where a program keeps its store.
enum StoreLocation {
  /// The file named on the command line, or `larder/NAME.store` under the user's data folder, which is made if missing.
  ///
  /// - Throws: When that folder cannot be made, or the named file has to be there and is not. The folder of a file named on
  ///   the command line is never made: a mistyped path is better refused than followed.
  static func url(named name: String, option: String?, mustExist: Bool, _ console: Console) throws -> URL {
    if let option {
      guard !mustExist || FileManager.default.fileExists(atPath: option) else {
        throw Failure("there is no store at \(option)")
      }
      return URL(filePath: option)
    }
    let folder = try FileManager.default.url(
      for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true
    ).appending(path: "larder")
    let file = folder.appending(path: "\(name).store")
    if !FileManager.default.fileExists(atPath: file.path) {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      console.note("Keeping everything in \(file.path)")
    }
    return file
  }
}
