import Foundation

/// The location of a program's store.
enum StoreLocation {
  /// Returns the file named on the command line. Its folder is never created, so a mistyped path is rejected.
  ///
  /// - Throws: An error if the file has to exist but does not.
  static func named(_ path: String, mustExist: Bool) throws(Failure) -> URL {
    guard !mustExist || FileManager.default.fileExists(atPath: path) else {
      throw Failure("there is no store at \(path)")
    }
    return URL(filePath: path)
  }

  /// Returns a file in `larder` below the user's data folder, which is created if it is missing.
  ///
  /// - Parameter announcing: Whether to print the location the first time.
  /// - Throws: An error if the folder cannot be created.
  static func own(_ name: String, announcing: Bool, _ console: Console) throws(Failure) -> URL {
    let folder = try folder()
    let file = folder.appending(path: name)
    if !FileManager.default.fileExists(atPath: file.path) {
      try Files.makeFolder(folder.path)
      if announcing { console.note("Storing all data in \(file.path)") }
    }
    return file
  }

  /// The path of the file, if the user has a data folder.
  static func description(of name: String) -> String {
    do { return try folder().appending(path: name).path } catch { return "a separate file" }
  }

  private static func folder() throws(Failure) -> URL {
    do {
      let data = try FileManager.default.url(
        for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
      return data.appending(path: "larder")
    } catch {
      throw Failure(
        "the user data folder cannot be created (\(Files.reason(error))); use --store FILE for another location")
    }
  }
}
