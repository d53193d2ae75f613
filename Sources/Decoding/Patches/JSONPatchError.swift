public import Foundation

/// Says which operation of a ``JSONPatch`` cannot be applied, and why.
public struct JSONPatchError: Error, Hashable, Sendable {
  /// Why an operation cannot be applied.
  public enum Reason: Hashable, Sendable {
    /// The text is not a JSON Pointer.
    case invalidPointer
    /// There is no value at the pointer, or on the way to it.
    case missing
    /// The pointer leads into a value that is neither an object nor an array.
    case notAContainer
    /// The pointer's last part is no index of the array, or not one at which an element can be added.
    case invalidIndex
    /// The value is not equal to the one that is required.
    case testFailed
    /// A value would be moved into itself.
    case intoItself
    /// The copies that the patch makes have more than a million values.
    case tooManyCopies
  }

  /// The place of the operation in the patch, from 0.
  public let index: Int

  /// The operation's pointer that the error is about.
  public let pointer: String

  /// Why the operation cannot be applied.
  public let reason: Reason
}

extension JSONPatchError: CustomStringConvertible {
  /// Operation, pointer and reason without values: `operation 2 at "/a/b": there is no such value`.
  public var description: String { "operation \(index) at \"\(pointer)\": \(words)" }

  private var words: String {
    switch reason {
    case .invalidPointer: "not a JSON Pointer"
    case .missing: "there is no such value"
    case .notAContainer: "it leads into a value that is neither an object nor an array"
    case .invalidIndex: "not an index of the array"
    case .testFailed: "the value is another one than required"
    case .intoItself: "a value cannot be moved into itself"
    case .tooManyCopies: "the copies have more than a million values"
    }
  }
}

extension JSONPatchError: LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }
}
