/// A place in a result: the section, and the place in it. Without sections all are in section 0.
public struct ResultsPosition: Sendable, Hashable {
  /// The section.
  public var section: Int
  /// The place in the section.
  public var item: Int

  /// A place.
  public init(section: Int = 0, item: Int) {
    self.section = section
    self.item = item
  }
}

extension ResultsPosition: Comparable {
  /// The order from top to bottom.
  public static func < (left: Self, right: Self) -> Bool { (left.section, left.item) < (right.section, right.item) }
}

extension ResultsPosition: CustomStringConvertible {
  /// Section and item.
  public var description: String { "\(section).\(item)" }
}
