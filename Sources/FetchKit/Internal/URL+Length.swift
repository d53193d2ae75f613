internal import Foundation

extension URL {
  /// Returns the size in bytes of the file that a body is read from. Symbolic links are followed.
  ///
  /// - Throws: A `CocoaError`, the same on every transport, if it is not a regular file or not readable.
  func lengthOfRegularFile() throws -> Int64 {
    guard isFileURL else { throw CocoaError(.fileReadUnsupportedScheme) }
    let path = resolvingSymlinksInPath().path(percentEncoded: false)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    guard attributes[.type] as? FileAttributeType == .typeRegular, let size = attributes[.size] as? NSNumber else {
      throw CocoaError(.fileReadUnknown)
    }
    guard FileManager.default.isReadableFile(atPath: path) else { throw CocoaError(.fileReadNoPermission) }
    return size.int64Value
  }
}
