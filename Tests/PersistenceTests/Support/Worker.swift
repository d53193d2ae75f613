import Foundation
import TestSupport

extension ChildProcess {
  /// The test worker as a process of its own; what it says of errors comes with its lines.
  static func worker(_ arguments: String...) throws -> ChildProcess {
    try ChildProcess(products.appending(path: "PersistenceTestWorker"), arguments, errors: .joined)
  }
}
