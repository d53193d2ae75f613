import Foundation
import LarderTestSupport

extension ChildProcess {
  /// The test worker as a separate process; its lines include its error output.
  static func worker(_ arguments: String...) throws -> ChildProcess {
    try ChildProcess(products.appending(path: "PersistenceTestWorker"), arguments, errors: .joined)
  }
}
