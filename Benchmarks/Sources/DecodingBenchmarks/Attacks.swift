import BenchmarkSupport
import Decoding
import Foundation

/// How long the worst paths take until they are answered or stopped.
extension Benchmark {
  static var attacks: [Benchmark] { Attack.all.map(attack) }

  private struct Anything: Decodable {
    init(from decoder: any Decoder) {}
  }

  private static func attack(_ attack: Attack) -> Benchmark {
    Benchmark("attack: \(attack.name)", unit: "ms", must: 2000, goal: 500, once: true) {
      let document = JSONDocument(Data(attack.document().utf8))
      let path = try JSONPath(parsing: attack.path)
      return try milliseconds {
        do throws(LocatedDecodingError) {
          _ = try document.values(Anything.self, at: path)
        } catch {
          guard error.kind == .limit else { throw WrongResult("\(attack.name): \(error)") }
        }
      }
    }
  }
}
