import Foundation

/// libFuzzer's entry: hands the input to the target that `LARDER_FUZZ_TARGET` names.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  target(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}

private let target: @Sendable ([UInt8]) -> Void = {
  switch ProcessInfo.processInfo.environment["LARDER_FUZZ_TARGET"] {
  case "path": fuzzPath
  case "document": fuzzDocument
  case "decoder": fuzzDecoder
  case "stream": fuzzStream
  case let other: preconditionFailure("no such target: \(other ?? "none")")
  }
}()

/// Ends the program with what was found; libFuzzer keeps the input.
func found(_ what: String) -> Never { fatalError(what) }

/// Any JSON value, read by trying one kind after the other.
indirect enum AnyJSON: Decodable, Equatable {
  case null
  case bool(Bool)
  case int(Int)
  case uint(UInt64)
  case double(Double)
  case string(String)
  case array([AnyJSON])
  case object([String: AnyJSON])

  init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: AnyKey.self) {
      var members: [String: AnyJSON] = [:]
      for key in container.allKeys { members[key.stringValue] = try container.decode(AnyJSON.self, forKey: key) }
      self = .object(members)
      return
    }
    if var container = try? decoder.unkeyedContainer() {
      var elements: [AnyJSON] = []
      while !container.isAtEnd { elements.append(try container.decode(AnyJSON.self)) }
      self = .array(elements)
      return
    }
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int.self) {
      self = .int(value)
    } else if let value = try? container.decode(UInt64.self) {
      self = .uint(value)
    } else if let value = try? container.decode(Double.self) {
      self = .double(value)
    } else {
      self = .string(try container.decode(String.self))
    }
  }
}

/// Asks for nothing.
struct Unread: Decodable {
  init(from decoder: any Decoder) throws {}
}
