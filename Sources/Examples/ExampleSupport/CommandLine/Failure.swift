/// Why a command could not do its work, in one sentence: exit code 1.
public struct Failure: Explained {
  public let description: String

  public init(_ description: String) {
    self.description = description
  }
}
