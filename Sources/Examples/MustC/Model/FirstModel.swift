import ExampleSupport
import Foundation

/// A store created by the first version of this program, like the store of a user who updates from that version.
enum FirstModel {
  /// Copies the store to a location where it can be changed.
  static func copy(to store: URL) throws {
    // The build places resources next to the executable. `Bundle.module` is not used, because it ends the process if
    // they are missing.
    let folders = ["Larder_MustC.resources", "Larder_MustC.bundle"].map { Bundle.main.bundleURL.appending(path: $0) }
    guard
      let file = folders.map({ $0.appending(path: "FirstModel.store") })
        .first(where: { FileManager.default.fileExists(atPath: $0.path) })
    else { throw Failure("the store of the first model was not found next to the program") }
    try Data(contentsOf: file).write(to: store)
  }
}
