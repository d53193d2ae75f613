internal import Foundation

/// The `errno` behind an error of `FileManager`.
enum POSIXErrorCode {
  /// Returns the code of the underlying error, or the one that fits a Cocoa error best.
  static func of(_ error: any Error) -> Int32 {
    if let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? POSIXError { return cause.code.rawValue }
    return switch (error as? CocoaError)?.code {
    case .fileWriteOutOfSpace: ENOSPC
    case .fileWriteNoPermission, .fileReadNoPermission: EACCES
    case .fileWriteVolumeReadOnly: EROFS
    case .fileWriteFileExists: EEXIST
    default: EIO
    }
  }
}
