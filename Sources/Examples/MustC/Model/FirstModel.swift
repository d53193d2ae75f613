import ExampleSupport
import Foundation

/// A store that the first version of this program made, as somebody who updates has one.
enum FirstModel {
  /// Puts a copy where it may be changed.
  static func copy(to store: URL) throws {
    // Beside the executable, where the build puts resources; not `Bundle.module`, which ends the process where they are
    // gone.
    let folders = ["Larder_MustC.resources", "Larder_MustC.bundle"].map { Bundle.main.bundleURL.appending(path: $0) }
    guard
      let file = folders.map({ $0.appending(path: "FirstModel.store") })
        .first(where: { FileManager.default.fileExists(atPath: $0.path) })
    else { throw Failure("the store of the first model is not beside the program") }
    try Data(contentsOf: file).write(to: store)
  }
}
