/// What the app's own module has.
public struct Preferences {
  public var theme = "dark"

  public init() {}
}
