public import Foundation

/// Writes the files and creates the folders that the user of an example program requests.
public enum Files {
  /// Writes data to a file atomically, so readers see either the old file or the complete new file.
  ///
  /// - Throws: A `Failure` with a message that contains the path of the file.
  public static func write(_ data: Data, to path: String) throws(Failure) {
    do {
      try data.write(to: URL(filePath: path), options: .atomic)
    } catch {
      throw Failure("\(path) cannot be written: \(reason(error))")
    }
  }

  /// Creates a folder if it does not exist yet.
  ///
  /// - Throws: A `Failure` with a message that contains the path of the folder.
  public static func makeFolder(_ path: String) throws(Failure) {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw Failure("the folder \(path) cannot be created: \(reason(error))")
    }
  }

  /// The system's error text if there is one, because Foundation's sentence says little more than that the call failed.
  static func reason(_ error: any Error) -> String {
    let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError ?? error as NSError
    guard underlying.domain == NSPOSIXErrorDomain else { return error.localizedDescription }
    return String(cString: strerror(Int32(underlying.code)))
  }
}
