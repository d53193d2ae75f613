public import Foundation

/// Files that a program writes for its user.
public enum Files {
  /// Writes a file in one piece: whoever looks sees the old one or the whole new one.
  ///
  /// - Throws: A sentence that names the file.
  public static func write(_ data: Data, to path: String) throws(Failure) {
    do {
      try data.write(to: URL(filePath: path), options: .atomic)
    } catch {
      throw Failure("\(path) cannot be written: \(reason(error))")
    }
  }

  /// Makes a folder, unless it is there.
  ///
  /// - Throws: A sentence that names the folder.
  public static func makeFolder(_ path: String) throws(Failure) {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw Failure("the folder \(path) cannot be made: \(reason(error))")
    }
  }

  /// The system's words, where there are some: Foundation's sentence says little more than that it failed.
  static func reason(_ error: any Error) -> String {
    let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError ?? error as NSError
    guard underlying.domain == NSPOSIXErrorDomain else { return error.localizedDescription }
    return String(cString: strerror(Int32(underlying.code)))
  }
}
