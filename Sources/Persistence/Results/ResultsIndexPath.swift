/// A position in live results, consisting of a section and an index in that section. Without sections, every position
/// is in section 0.
public struct ResultsIndexPath: Sendable, Hashable {
  /// The section.
  public var section: Int
  /// The index in the section.
  public var item: Int

  /// Creates a position.
  public init(section: Int = 0, item: Int) {
    self.section = section
    self.item = item
  }
}

extension ResultsIndexPath: Comparable {
  /// Orders positions from top to bottom.
  public static func < (left: Self, right: Self) -> Bool { (left.section, left.item) < (right.section, right.item) }
}

extension ResultsIndexPath: CustomStringConvertible {
  /// The section and the item.
  public var description: String { "\(section).\(item)" }
}
