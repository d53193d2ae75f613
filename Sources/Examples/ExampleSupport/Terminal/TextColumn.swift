/// A column of a ``TextTable``. A column has a title and determines whether its entries can be shortened.
public struct TextColumn: Sendable, ExpressibleByStringLiteral {
  let title: String
  let isWhole: Bool

  /// Creates a column with entries that can be shortened if there is not enough space.
  public init(stringLiteral title: String) {
    self.init(title: title, isWhole: false)
  }

  private init(title: String, isWhole: Bool) {
    self.title = title
    self.isWhole = isWhole
  }

  /// Creates a column with entries that are never shortened. Use it for entries that become meaningless if a part is
  /// missing, such as numbers and IDs.
  public static func whole(_ title: String) -> TextColumn { TextColumn(title: title, isWhole: true) }
}
