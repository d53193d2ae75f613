import ExampleSupport

/// Why a download that has ended brought no photos: it is acknowledged, and the next fetch begins a new one.
struct NotLoaded: Explained {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
