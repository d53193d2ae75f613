/// Why a download ended without its file: a closed set that survives in the journal.
///
/// No text in it holds a secret.
public enum DownloadFailure: Error, Sendable, Hashable {
  /// There was no connection, or it was lost, as often as the client's ``RetryPolicy`` allows.
  case connection(reason: String)
  /// A deadline passed.
  case timeout
  /// The server answered with a status that is not a success.
  case status(Int)
  /// What came is no usable response.
  case response(reason: String)
  /// The request could not be made or sent: the provider, an interceptor or the credentials failed.
  case request(reason: String)
  /// The file is larger than ``DownloadSession/Configuration/largestFile``.
  case tooLarge(limit: Int64)
  /// The file has another length than the server announced.
  case wrongLength(expected: Int64, received: Int64)
  /// The complete file has another digest than it must have.
  case wrongDigest(expected: DownloadDigest, found: DownloadDigest)
  /// There is no room on the disk, or a quota or file-size limit was hit.
  case diskFull
  /// A file or folder could not be written for lack of permission.
  case noPermission(path: String)
  /// Another error of the file system: the call, and its `errno`.
  case disk(operation: String, code: Int32)
  /// ``DownloadSession/cancel(_:)`` was called.
  case cancelled

  /// Whether the bytes received so far are kept, so that ``DownloadSession/resume(_:)`` goes on from there.
  public var keepsPart: Bool {
    switch self {
    case .tooLarge, .wrongLength, .wrongDigest, .cancelled: false
    default: true
    }
  }
}

extension DownloadFailure: CustomStringConvertible {
  /// A sentence fit for a log.
  public var description: String {
    switch self {
    case .connection(let reason): "no connection: \(reason)"
    case .timeout: "a deadline passed"
    case .status(let status): "the server answered with status \(status)"
    case .response(let reason): "no usable response: \(reason)"
    case .request(let reason): "the request could not be sent: \(reason)"
    case .tooLarge(let limit): "the file is larger than \(limit) bytes"
    case .wrongLength(let expected, let received): "the file has \(received) bytes instead of \(expected)"
    case .wrongDigest(let expected, let found): "the file's digest is \(found) instead of \(expected)"
    case .diskFull: "the disk is full"
    case .noPermission(let path): "no permission to write \(path)"
    case .disk(let operation, let code): "\(operation) failed with errno \(code)"
    case .cancelled: "cancelled"
    }
  }
}
