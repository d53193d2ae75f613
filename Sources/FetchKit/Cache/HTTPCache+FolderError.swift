extension HTTPCache {
  /// An error that occurred in a cache's directory.
  ///
  /// <doc:WhenSomethingGoesWrong> explains how to handle it.
  public struct FolderError: Error, Sendable, Hashable {
    /// The system call that failed, such as `rename`.
    public var operation: String
    /// The path for which the system call failed.
    public var path: String
    /// The `errno` value of the system call.
    public var code: Int32

    /// Creates an error from its parts.
    public init(operation: String, path: String, code: Int32) {
      self.operation = operation
      self.path = path
      self.code = code
    }
  }
}

extension HTTPCache.FolderError: CustomStringConvertible {
  /// A one-line description for logs.
  public var description: String { "\(operation) of \(path) failed with errno \(code)" }
}
