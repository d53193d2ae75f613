internal import Foundation

extension DownloadFailure {
  /// What an error of the file system means.
  init(code: Int32, operation: String, path: String) {
    switch code {
    case ENOSPC, EDQUOT, EFBIG: self = .diskFull
    case EACCES, EPERM, EROFS: self = .noPermission(path: path)
    default: self = .disk(operation: operation, code: code)
    }
  }
}
