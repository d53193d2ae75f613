/// Rows in columns, each as wide as its widest entry. Where that is too wide for a terminal, the widest columns give way.
public struct TextTable: Sendable {
  private static let gap = 2
  private static let narrowest = 6

  private let rows: [[String]]

  /// - Parameter rows: All with the same number of entries.
  public init(_ rows: [[String]]) {
    self.rows = rows
  }

  /// - Parameter columns: How many there are; nil for as many as it takes.
  public func lines(columns: Int?) -> [String] {
    let widths = widths(within: columns)
    return rows.map { row in
      let entries = zip(row, widths).map { TextLayout.padded(TextLayout.cut($0, to: $1), to: $1) }
      var line = entries.joined(separator: String(repeating: " ", count: Self.gap))
      while line.last == " " { line.removeLast() }
      return line
    }
  }

  private func widths(within columns: Int?) -> [Int] {
    var widths = rows.reduce(into: [Int](repeating: 0, count: rows.first?.count ?? 0)) { widths, row in
      for (index, entry) in row.enumerated() { widths[index] = max(widths[index], TextLayout.width(of: entry)) }
    }
    guard let columns else { return widths }
    var excess = widths.reduce(0, +) + Self.gap * (widths.count - 1) - columns
    while excess > 0, let widest = widths.indices.max(by: { widths[$0] < widths[$1] }), widths[widest] > Self.narrowest
    {
      widths[widest] -= 1
      excess -= 1
    }
    return widths
  }
}
