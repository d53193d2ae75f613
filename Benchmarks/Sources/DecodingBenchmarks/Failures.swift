import BenchmarkSupport
import Decoding
import Foundation

extension Benchmark {
  static var failingType: Benchmark {
    failing("failing decode of 250 bytes, a wrong type", PersonOfWrongType.self, says: "$['address']['zip']")
  }

  static var failingName: Benchmark {
    failing("failing decode of 250 bytes, a missing name", PersonOfWrongName.self, says: "the object has `street`")
  }

  /// A decode that fails in its last field, with all that the failure tells, against one that does not.
  private static func failing<Value: Decodable>(_ work: String, _ type: Value.Type, says text: String) -> Benchmark {
    let ours = JSONBytesDecoder()
    let theirs = JSONDecoder()
    return Benchmark(
      work, unit: "µs",
      ours: {
        guard case .failure(let failure) = Result(catching: { try ours.decode(type, from: Documents.person) }),
          "\(failure)".contains(text), "\(failure)".contains("line 1")
        else { throw WrongResult("\(work): it does not fail, or does not say why") }
        return microseconds(repeats: 2000) { Result { try ours.decode(type, from: Documents.person) } }
      },
      peers: [
        Peer("the successful one", must: 1 / 3, goal: 1 / 2) {
          try microseconds(repeats: 2000) { try ours.decode(Person.self, from: Documents.person) }
        },
        Peer("JSONDecoder, failing") {
          microseconds(repeats: 1000) { Result { try theirs.decode(type, from: Documents.person) } }
        },
      ])
  }
}
