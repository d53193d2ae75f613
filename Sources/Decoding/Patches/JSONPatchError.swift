public import Foundation

/// Describes which operation of a ``JSONPatch`` cannot be applied, and why.
///
/// <doc:WhenSomethingGoesWrong> explains what leads to each reason and how to handle it.
public struct JSONPatchError: Error, Hashable, Sendable {
  /// Why an operation cannot be applied.
  public enum Reason: Hashable, Sendable {
    /// The string is not a JSON Pointer.
    case invalidPointer
    /// The value at the pointer, or a value along the pointer, does not exist.
    case missing
    /// The pointer leads into a value that is neither an object nor an array.
    case notAContainer
    /// The pointer's last token is not an index of the array, or is not an index at which an element can be added.
    case invalidIndex
    /// The value is not equal to the required value.
    case testFailed
    /// A value would be moved into itself.
    case intoItself
    /// The patch's copies contain more than a million values.
    case tooManyCopies
  }

  /// The index of the operation in the patch, counting from 0.
  public let index: Int

  /// The pointer of the operation that caused the error.
  public let pointer: String

  /// Why the operation cannot be applied.
  public let reason: Reason
}

extension JSONPatchError: CustomStringConvertible {
  /// The operation, the pointer and the reason, without values: `operation 2 at "/a/b": there is no such value`.
  public var description: String { "operation \(index) at \"\(pointer)\": \(words)" }

  private var words: String {
    switch reason {
    case .invalidPointer: "not a JSON Pointer"
    case .missing: "there is no such value"
    case .notAContainer: "it leads into a value that is neither an object nor an array"
    case .invalidIndex: "not an index of the array"
    case .testFailed: "the value is not equal to the required one"
    case .intoItself: "a value cannot be moved into itself"
    case .tooManyCopies: "the copies contain more than a million values"
    }
  }
}

extension JSONPatchError: LocalizedError {
  /// The same text as ``description``.
  public var errorDescription: String? { description }
}
