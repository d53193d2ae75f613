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
  case "value": fuzzValue
  case "frames": fuzzFrames
  case let other: preconditionFailure("no such target: \(other ?? "none")")
  }
}()

/// Ends the program with what was found; libFuzzer keeps the input.
func found(_ what: String) -> Never { fatalError(what) }
