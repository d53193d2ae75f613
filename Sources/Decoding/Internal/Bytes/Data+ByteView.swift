internal import Foundation

extension Data {
  /// Calls a closure with a view of the bytes.
  ///
  /// `Data.bytes` would be shorter. It is a `RawSpan`, for which programs that also run on systems before Apple's
  /// version 26 may need a library that not every program carries.
  @inline(__always)
  func withByteView<Value, Failure: Error>(
    _ body: (ByteView) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    // `body` is all that can throw. Not a `Result`: the value would be copied out of it, which takes a tenth of the
    // time of small documents.
    do { return try withUnsafeBytes { try body(ByteView($0)) } } catch { throw error as! Failure }
  }
}
