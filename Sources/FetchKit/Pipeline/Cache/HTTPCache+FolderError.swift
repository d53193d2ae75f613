extension HTTPCache {
  /// What went wrong with the directory of a cache.
  public struct FolderError: Error, Sendable, Hashable {
    /// The system call, as in `rename`.
    public var operation: String
    /// What it was done to.
    public var path: String
    /// The `errno` of the call.
    public var code: Int32

    /// An error from its parts.
    public init(operation: String, path: String, code: Int32) {
      self.operation = operation
      self.path = path
      self.code = code
    }
  }
}

extension HTTPCache.FolderError: CustomStringConvertible {
  /// A sentence fit for a log.
  public var description: String { "\(operation) of \(path) failed with errno \(code)" }
}
