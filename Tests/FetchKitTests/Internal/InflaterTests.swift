#if os(Linux)
import Foundation
import LarderTestSupport
import Testing

@testable import FetchKit

@Suite(.timeLimit(.minutes(2))) struct InflaterTests {
  /// Decompresses the pieces one after another.
  private func inflate(_ pieces: [Data], _ coding: Inflater.Coding = .gzip) throws -> (Data, isWhole: Bool) {
    let inflater = Inflater(coding)
    var result = Data()
    for piece in pieces {
      try piece.withUnsafeBytes { bytes in
        var rest = bytes
        while true {
          let output = try inflater.next(&rest)
          if output.isEmpty, rest.isEmpty { break }
          #expect(output.count <= 64 << 10)
          result.append(contentsOf: output)
        }
      }
    }
    return (result, inflater.hasEnded)
  }

  @Test func `what the gzip program packed is the same again, in pieces of any size`() throws {
    let seed = UInt64.random(in: 0 ... .max)
    print("seed of the bodies: \(seed)")
    var random = SplitMix(seed: seed)
    for size in [0, 1, 1000, 65_536, 400_000] {
      // Half random, half repeated, so that blocks of every kind occur.
      let noise = Data((0..<size / 2).map { _ in UInt8(truncatingIfNeeded: random.next()) })
      let body = noise + Data(repeating: 7, count: size - size / 2)
      let packed = try GZip.pack(body)
      for most in [1, 13, 4096, .max] where most > 1 || packed.count < 5000 {
        var pieces: [Data] = []
        var rest = packed
        while !rest.isEmpty {
          let count = 1 + Int(random.next() % UInt64(min(most, rest.count)))
          pieces.append(Data(rest.prefix(count)))
          rest = rest.dropFirst(count)
        }
        let (result, isWhole) = try inflate(pieces)
        #expect(result == body && isWhole, "\(size) bytes in pieces of at most \(most)")
      }
    }
  }

  @Test func `a body is whole only at its end`() throws {
    let packed = try GZip.pack(Data("hello".utf8))
    #expect(try !inflate([]).isWhole)
    for count in 1..<packed.count {
      #expect(try !inflate([packed.prefix(count)]).isWhole, "\(count) bytes")
    }
  }

  @Test func `no changed byte goes unnoticed`() throws {
    let packed = try GZip.pack(Data("hello hello hello".utf8))
    // The header's time, flags for humans and system do not affect the body.
    for index in packed.indices where !(4...9).contains(index) {
      var changed = packed
      changed[index] ^= 0x10
      let result = try? inflate([changed])
      #expect(result?.isWhole != true || result?.0 == Data("hello hello hello".utf8), "byte \(index)")
    }
  }
}
#endif
