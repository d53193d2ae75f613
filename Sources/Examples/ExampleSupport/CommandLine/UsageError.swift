/// Reports a command line that the program does not understand. The program exits with code 2.
public struct UsageError: Error, CustomStringConvertible {
  public let description: String

  public init(_ description: String) {
    self.description = description
  }
}
