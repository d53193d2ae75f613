import Decoding
import Foundation
import LarderTestSupport
import Testing

/// The same calls of containers, in any order, on Foundation's decoder and ours.
@Suite struct ContainerProgramTests {
  /// More of them with `LARDER_PROGRAMS=100000`.
  static let count = ProcessInfo.processInfo.environment["LARDER_PROGRAMS"].flatMap { Int($0) } ?? 3000

  /// What a program gave, or the error that ended the decode.
  private func outcome(of seed: UInt64, _ decode: (inout [CodingUserInfoKey: any Sendable]) throws -> Played) -> Outcome
  {
    var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    if let key = ContainerPlayer.key { userInfo[key] = ContainerPlayer(seed: seed) }
    do {
      return Outcome(try decode(&userInfo))
    } catch {
      return .failure("the decode failed: \(error)", path: nil)
    }
  }

  private func difference(_ seed: UInt64, _ text: String) -> String? {
    let data = Data(text.utf8)
    let theirs = JSONDecoder()
    if seed % 4 == 0 { theirs.keyDecodingStrategy = .convertFromSnakeCase }
    let expected = outcome(of: seed) { userInfo in
      theirs.userInfo = userInfo
      return try theirs.decode(Played.self, from: data)
    }
    let found = outcome(of: seed) { userInfo in
      let ours = JSONBytesDecoder(like: theirs)
      ours.userInfo = userInfo
      return try ours.decode(Played.self, from: data)
    }
    return expected.difference(from: found)
  }

  @Test func `any sequence of container calls gives the same results as Foundation's decoder`() {
    var random = SplitMix.printed()
    var failures = 0
    for round in 0..<Self.count where failures < 8 {
      let document = RandomDocument(seed: random.next())
      let seed = random.next()
      guard let difference = difference(seed, document.text) else { continue }
      failures += 1
      Issue.record("program \(round) on \(document.text)\n\(difference)")
    }
  }
}
