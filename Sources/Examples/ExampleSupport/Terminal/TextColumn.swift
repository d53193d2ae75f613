/// A column of a ``TextTable``, with its title and whether its entries can be cut.
public struct TextColumn: Sendable, ExpressibleByStringLiteral {
  let title: String
  let isWhole: Bool

  /// Creates a column whose entries can be cut if there is not enough space.
  public init(stringLiteral title: String) {
    self.init(title: title, isWhole: false)
  }

  private init(title: String, isWhole: Bool) {
    self.title = title
    self.isWhole = isWhole
  }

  /// Creates a column whose entries, such as numbers and ids, are never cut, because a part of them would be
  /// meaningless.
  public static func whole(_ title: String) -> TextColumn { TextColumn(title: title, isWhole: true) }
}
