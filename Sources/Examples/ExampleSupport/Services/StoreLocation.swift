import Foundation

/// Where a program keeps its store.
enum StoreLocation {
  /// The file that the command line names. Its folder is never made: a mistyped path is better refused than followed.
  ///
  /// - Throws: When the file has to be there and is not.
  static func named(_ path: String, mustExist: Bool) throws(Failure) -> URL {
    guard !mustExist || FileManager.default.fileExists(atPath: path) else {
      throw Failure("there is no store at \(path)")
    }
    return URL(filePath: path)
  }

  /// A file in `larder` under the user's data folder, which is made if missing.
  ///
  /// - Parameter announcing: Whether to say where it is, the first time.
  /// - Throws: When that folder cannot be made.
  static func own(_ name: String, announcing: Bool, _ console: Console) throws(Failure) -> URL {
    let folder = try folder()
    let file = folder.appending(path: name)
    if !FileManager.default.fileExists(atPath: file.path) {
      try Files.makeFolder(folder.path)
      if announcing { console.note("Keeping everything in \(file.path)") }
    }
    return file
  }

  /// Its path, where the user has a data folder.
  static func description(of name: String) -> String {
    do { return try folder().appending(path: name).path } catch { return "a store of its own" }
  }

  private static func folder() throws(Failure) -> URL {
    do {
      let data = try FileManager.default.url(
        for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
      return data.appending(path: "larder")
    } catch {
      throw Failure(
        "the folder for a user's data cannot be made (\(Files.reason(error))): --store FILE names another place")
    }
  }
}
