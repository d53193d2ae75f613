/// A position in live results, which consists of the index of a section and the index of an object in that section. In
/// results without sections, every position is in section 0.
public struct ResultsIndexPath: Sendable, Hashable {
  /// The index of the section.
  public var section: Int
  /// The index of the object in the section.
  public var item: Int

  /// Creates a position.
  public init(section: Int = 0, item: Int) {
    self.section = section
    self.item = item
  }
}

extension ResultsIndexPath: Comparable {
  /// Orders positions by section, and by item within a section.
  public static func < (left: Self, right: Self) -> Bool { (left.section, left.item) < (right.section, right.item) }
}

extension ResultsIndexPath: CustomStringConvertible {
  /// The section and the item, separated by a period.
  public var description: String { "\(section).\(item)" }
}
