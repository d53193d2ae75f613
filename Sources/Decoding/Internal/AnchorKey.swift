/// The key with which a keyed container of this module tells its anchor, when a nested container with such keys is
/// requested.
struct AnchorKey: CodingKey, Error {
  let anchor: AnyObject?

  init(_ anchor: AnyObject) { self.anchor = anchor }

  init?(stringValue: String) { nil }
  init?(intValue: Int) { nil }

  var stringValue: String { "" }
  var intValue: Int? { nil }
}

extension AnchorKey: @unchecked Sendable {}  // never leaves the call that asks
