extension HTTPCache {
  /// An error that occurred when a cache accessed its directory or a file in the directory.
  ///
  /// <doc:WhenSomethingGoesWrong> explains how to handle this error.
  public struct FolderError: Error, Sendable, Hashable {
    /// The system call that failed, such as `rename`.
    public var operation: String
    /// The path that was passed to the failed system call.
    public var path: String
    /// The `errno` value that the failed system call set.
    public var code: Int32

    /// Creates an error from the failed system call, the path and the `errno` value.
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
