import ExampleSupport

/// Why an ended download provided no photos. It is acknowledged, and the next fetch starts a new one.
struct NotLoaded: Explained {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
