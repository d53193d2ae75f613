internal import Foundation

/// The reason why a download ended without a file. No case contains an arbitrary `Error`, because the session stores
/// the download's error in its journal and reads it after a relaunch.
///
/// Error descriptions never contain secrets.
///
/// <doc:WhenSomethingGoesWrong> lists the cause of each case and explains how to handle it.
public enum DownloadError: Error, Sendable, Hashable {
  /// The connection could not be opened or was lost, and the client's ``RetryPolicy`` permits no further attempt.
  case connection(reason: String)
  /// The request timed out.
  case timeout
  /// The server did not deliver the file but responded with the associated status code.
  case status(Int)
  /// The response cannot be used. The associated reason explains why.
  case response(reason: String)
  /// The request could not be built or sent because the provider, an interceptor or authentication failed.
  case request(reason: String)
  /// The file is larger than ``DownloadSession/Configuration/maxFileSize``.
  case tooLarge(limit: Int64)
  /// The length of the downloaded file differs from the length that the server announced.
  case wrongLength(expected: Int64, received: Int64)
  /// The digest of the downloaded file differs from the digest in ``DownloadOptions``.
  case wrongDigest(expected: DownloadDigest, found: DownloadDigest)
  /// The disk is full, or a quota or file size limit was reached.
  case diskFull
  /// The process does not have permission to write a file or folder.
  case noPermission(path: String)
  /// Another file system error occurred. The associated values are the system call that failed and its `errno` value.
  case disk(operation: String, code: Int32)
  /// ``DownloadSession/cancel(_:)`` was called.
  case cancelled

  /// Whether the bytes received before the error are retained. If true, ``DownloadSession/resume(_:)`` can continue the
  /// download with these bytes.
  public var keepsPartialFile: Bool {
    switch self {
    case .tooLarge, .wrongLength, .wrongDigest, .cancelled: false
    default: true
    }
  }
}

extension DownloadError: CustomStringConvertible {
  /// A one-sentence description for logs.
  public var description: String {
    switch self {
    case .connection(let reason): "the connection failed: \(reason)"
    case .timeout: "the request timed out"
    case .status(let status): "the server answered with status \(status)"
    case .response(let reason): "the response cannot be used: \(reason)"
    case .request(let reason): "the request could not be sent: \(reason)"
    case .tooLarge(let limit): "the file is larger than \(limit) bytes"
    case .wrongLength(let expected, let received): "the file has \(received) bytes instead of \(expected)"
    case .wrongDigest(let expected, let found): "the file has the digest \(found) instead of \(expected)"
    case .diskFull: "the disk is full"
    case .noPermission(let path): "there is no permission to write \(path)"
    case .disk(let operation, let code): "\(operation) failed with errno \(code)"
    case .cancelled: "cancelled"
    }
  }
}

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
