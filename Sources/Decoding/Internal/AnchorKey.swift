/// The key with which a keyed container of this module reports its anchor, when a nested container with such keys is
/// requested.
///
/// `@unchecked Sendable`, which an error has to be: it never leaves the call that requests the container.
struct AnchorKey: CodingKey, Error, @unchecked Sendable {
  let anchor: AnyObject?

  init(_ anchor: AnyObject) { self.anchor = anchor }

  init?(stringValue: String) { nil }
  init?(intValue: Int) { nil }

  var stringValue: String { "" }
  var intValue: Int? { nil }
}
