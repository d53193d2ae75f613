import ExampleSupport

/// Why a download that has ended brought no photos, in a sentence: it is dealt with, and the next fetch begins again.
struct NotLoaded: Explained {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
