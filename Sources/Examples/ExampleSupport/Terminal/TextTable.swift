/// A table of text for a terminal. Each column is as wide as its widest entry.
///
/// If the table is too wide for a terminal, the widest columns are made narrower, except the columns that were created
/// with ``TextColumn/whole(_:)``. If the table is still too wide, each row is printed as a short list.
public struct TextTable: Sendable {
  private static let gap = 2
  private static let narrowest = 8

  private let columns: [TextColumn]
  private let rows: [[String]]

  /// - Parameters:
  ///   - columns: The columns with their titles, or an empty array for a table without a heading.
  ///   - rows: The rows, all with the same number of entries.
  public init(_ columns: [TextColumn] = [], _ rows: [[String]]) {
    self.columns = columns
    self.rows = rows
  }

  /// - Parameter columns: The width of the terminal in columns, or nil for no limit.
  public func lines(columns: Int?) -> [String] {
    guard !rows.isEmpty else { return [] }
    let widths = widths(within: columns)
    if let columns, !self.columns.isEmpty, Self.total(widths) > columns {
      return rows.flatMap { list(of: $0, columns: columns) }
    }
    let heading = self.columns.isEmpty ? [] : [self.columns.map(\.title)]
    return (heading + rows).map { row in
      let entries = zip(row, widths).map { TextLayout.padded(TextLayout.cut($0, to: $1), to: $1) }
      var line = entries.joined(separator: String(repeating: " ", count: Self.gap))
      while line.last == " " { line.removeLast() }
      return line
    }
  }

  private func widths(within columns: Int?) -> [Int] {
    var widths = self.columns.map { TextLayout.width(of: $0.title) }
    if widths.isEmpty { widths = [Int](repeating: 0, count: rows.first?.count ?? 0) }
    for row in rows {
      for (index, entry) in row.enumerated() {
        widths[index] = max(widths[index], TextLayout.width(of: TextLayout.cut(entry, to: nil)))
      }
    }
    guard let columns else { return widths }
    var excess = Self.total(widths) - columns
    let flexible = widths.indices.filter { self.columns.isEmpty || !self.columns[$0].isWhole }
    let narrowest = self.columns.isEmpty ? Self.narrowest - 2 : Self.narrowest
    while excess > 0, let widest = flexible.max(by: { widths[$0] < widths[$1] }), widths[widest] > narrowest {
      widths[widest] -= 1
      excess -= 1
    }
    return widths
  }

  private static func total(_ widths: [Int]) -> Int { widths.reduce(0, +) + gap * (widths.count - 1) }

  /// A row as a list. The entries up to the first one that can be cut come first, and the other entries are below them
  /// with their column titles.
  private func list(of row: [String], columns: Int) -> [String] {
    let head = (self.columns.firstIndex { !$0.isWhole } ?? 0) + 1
    let rest = zip(self.columns, row).dropFirst(head).map { column, entry in
      let line = "  \(column.title): \(entry)"
      return column.isWhole ? TextLayout.cut(line, to: nil) : TextLayout.cut(line, to: columns)
    }
    return [TextLayout.cut(row.prefix(head).joined(separator: " "), to: columns)] + rest
  }
}
