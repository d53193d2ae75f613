public import Foundation

/// Files that a program writes for its user.
public enum Files {
  /// Writes a file atomically, so readers see either the old file or the complete new one.
  ///
  /// - Throws: A `Failure` whose sentence names the file.
  public static func write(_ data: Data, to path: String) throws(Failure) {
    do {
      try data.write(to: URL(filePath: path), options: .atomic)
    } catch {
      throw Failure("\(path) cannot be written: \(reason(error))")
    }
  }

  /// Creates a folder unless it exists.
  ///
  /// - Throws: A `Failure` whose sentence names the folder.
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
