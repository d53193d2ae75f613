import BenchmarkSupport
import Foundation

#if canImport(CYYJSON)
import CYYJSON
#endif

extension Benchmark.Peer {
  /// yyjson's tree of the same documents, where the library is installed: reading alone, without a Swift value.
  static func tree(_ documents: @autoclosure @escaping () -> [Data], repeats: Int) -> [Benchmark.Peer] {
    #if canImport(CYYJSON)
    lazy var documents = documents()
    return [
      Benchmark.Peer("yyjson's tree") {
        try microseconds(repeats: repeats) {
          for document in documents { try readTree(document) }
        }
      }
    ]
    #else
    return []
    #endif
  }
}

#if canImport(CYYJSON)
private func readTree(_ document: Data) throws {
  let tree = document.withUnsafeBytes { yyjson_read($0.baseAddress, $0.count, 0) }
  guard let tree else { throw WrongResult("yyjson cannot read a document") }
  yyjson_doc_free(tree)
}
#endif
