import Foundation
import Testing

@testable import Decoding

/// Types that recurse as deep as the default on Apple's platforms allows, on a stack as small as there.
@Suite(.timeLimit(.minutes(1))) struct StackDepthTests {
  struct Tree: Decodable {
    var children: [Tree]?
  }

  final class Chain: Decodable {
    let next: Chain?
    let name: String?
    let number: Int?
  }

  struct Nested: Decodable {
    let inner: [Nested]

    init(from decoder: any Decoder) throws {
      inner = try decoder.nested().decodeIfPresent(at: "a.b") ?? []
    }
  }

  /// As many containers as the limit.
  static func text(_ open: String, _ close: String, levels: Int, middle: String) -> Data {
    let count = depth / levels
    return Data((String(repeating: open, count: count) + middle + String(repeating: close, count: count)).utf8)
  }

  static var depth: Int {
    ProcessInfo.processInfo.environment["LARDER_STACK_DEPTH"].flatMap { Int($0) } ?? DecodingOptions.depthOnSmallStacks
  }

  static var decoder: JSONBytesDecoder {
    let decoder = JSONBytesDecoder()
    decoder.maximumDepth = depth
    return decoder
  }

  @Test func `a tree of synthesized types at the depth limit fits on a small stack`() async throws {
    let isDecoded = try await onSmallStack {
      let data = Self.text(#"{"children":["#, "]}", levels: 2, middle: "")
      return try Self.decoder.decode(Tree.self, from: data).children?.isEmpty == false
    }
    #expect(isDecoded)
  }

  @Test func `a chain of classes at the depth limit fits on a small stack`() async throws {
    let isDecoded = try await onSmallStack {
      let data = Self.text(#"{"next":"#, "}", levels: 1, middle: "null")
      return try Self.decoder.decode(Chain.self, from: data).next != nil
    }
    #expect(isDecoded)
  }

  @Test func `types that decode by path at the depth limit fit on a small stack`() async throws {
    let isDecoded = try await onSmallStack {
      let data = Self.text(#"{"a":{"b":["#, "]}}", levels: 3, middle: "")
      return try Self.decoder.decode(Nested.self, from: data).inner.isEmpty == false
    }
    #expect(isDecoded)
  }

  @Test func `one level beyond the depth limit is a typed error`() async throws {
    let kind = try await onSmallStack { () -> LocatedDecodingError.Kind? in
      let data = Self.text(#"{"next":"#, "}", levels: 1, middle: "{}")
      do throws(LocatedDecodingError) {
        _ = try Self.decoder.decode(Chain.self, from: data)
        return nil
      } catch {
        return error.kind
      }
    }
    #expect(kind == .limit)
  }

  @Test func `the default depth limit is the platform's`() {
    #if canImport(Darwin)
    #expect(JSONBytesDecoder().maximumDepth == DecodingOptions.depthOnSmallStacks)
    #else
    #expect(JSONBytesDecoder().maximumDepth == 512)
    #endif
  }
}
