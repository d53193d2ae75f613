public import Foundation

/// Describes which operation in a ``JSONPatch`` cannot be applied, and why.
///
/// <doc:WhenSomethingGoesWrong> explains what causes each error and how to handle it.
public struct JSONPatchError: Error, Hashable, Sendable {
  /// Why an operation cannot be applied.
  public enum Reason: Hashable, Sendable {
    /// The string in the operation is not a JSON Pointer.
    case invalidPointer
    /// The value at the pointer, or a value along the way to it, does not exist.
    case missing
    /// The pointer continues inside a value that is neither an object nor an array.
    case notAContainer
    /// The pointer leads to an array, but the pointer's next token is not an index, or is an index at which no
    /// element can be added.
    case invalidIndex
    /// A `test` operation failed, because the value at the pointer is not equal to the required value.
    case testFailed
    /// A value would be moved into itself.
    case intoItself
    /// The `copy` operations in the patch copy more than a million values in total.
    case tooManyCopies
  }

  /// The index of the operation in the patch, counting from 0.
  public let index: Int

  /// The pointer that caused the error, as it appears in the operation.
  public let pointer: String

  /// Why the operation cannot be applied.
  public let reason: Reason
}

extension JSONPatchError: CustomStringConvertible {
  /// A description that contains the index of the operation, the pointer and the reason, but no values:
  /// `operation 2 at "/a/b": there is no such value`.
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
