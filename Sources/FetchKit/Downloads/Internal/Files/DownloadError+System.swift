internal import Foundation

extension DownloadError {
  /// Creates a failure from a file system error.
  init(code: Int32, operation: String, path: String) {
    switch code {
    case ENOSPC, EDQUOT, EFBIG: self = .diskFull
    case EACCES, EPERM, EROFS: self = .noPermission(path: path)
    default: self = .disk(operation: operation, code: code)
    }
  }
}
