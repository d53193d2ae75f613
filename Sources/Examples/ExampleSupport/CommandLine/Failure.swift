/// An error that prevents a command from doing its work, described in one sentence. The program exits with code 1.
public struct Failure: Explained {
  public let description: String

  public init(_ description: String) {
    self.description = description
  }
}
