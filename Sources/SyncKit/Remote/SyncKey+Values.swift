public import Foundation
public import Persistence

extension SyncKey {
  /// A key with the value of an attribute: an integer, a text or a UUID.
  public init(_ value: some AttributeValue) { self.init(value.stored) }

  /// The key as an integer, or nil if it is something else.
  public var integer: Int64? { if case .integer(let number) = value { number } else { nil } }

  /// The key as a text, or nil if it is something else.
  public var text: String? { if case .text(let text) = value { text } else { nil } }

  /// The key as a UUID, or nil if it is something else.
  public var uuid: UUID? { UUID(stored: value) }
}

extension SyncKey: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
  /// An integer.
  public init(integerLiteral value: Int64) { self.init(StoredValue.integer(value)) }

  /// A text.
  public init(stringLiteral value: String) { self.init(StoredValue.text(value)) }
}
