/// A command line that the program does not understand. The exit code is 2.
public struct UsageError: Error, CustomStringConvertible {
  public let description: String

  public init(_ description: String) {
    self.description = description
  }
}
