internal import Foundation

extension URL {
  /// How many bytes the file has that a body is read from, a symbolic link followed.
  ///
  /// - Throws: a `CocoaError`, the same on every transport, where it is no regular file or may not be read.
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
