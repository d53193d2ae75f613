import ExampleSupport

/// The reason why a finished download provided no photos. The download is acknowledged, and the next fetch starts a new
/// one.
struct NotLoaded: Explained {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
