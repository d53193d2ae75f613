internal import Foundation

extension Data {
  /// Calls a closure with a view of the bytes.
  ///
  /// `Data.bytes` would be shorter, but it is a `RawSpan`. For that, a program that also runs on Apple's systems before
  /// version 26 may need a library that not every program includes.
  @inline(__always)
  func withByteView<Value, Failure: Error>(
    _ body: (ByteView) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    // Only `body` can throw. A `Result` is avoided, because copying the value out of it takes a tenth of the time for
    // small documents.
    do { return try withUnsafeBytes { try body(ByteView($0)) } } catch { throw error as! Failure }
  }
}
