/// A column of a ``TextTable``: its title, and whether its entries may be cut.
public struct TextColumn: Sendable, ExpressibleByStringLiteral {
  let title: String
  let isWhole: Bool

  /// A column whose entries may be cut where there is little room.
  public init(stringLiteral title: String) {
    self.init(title: title, isWhole: false)
  }

  private init(title: String, isWhole: Bool) {
    self.title = title
    self.isWhole = isWhole
  }

  /// A column whose entries mean nothing unless they are whole, as numbers and ids.
  public static func whole(_ title: String) -> TextColumn { TextColumn(title: title, isWhole: true) }
}
