/// A sorted list in chunks. A change copies only the affected chunks, and copies of the list share the others.
struct ResultsRows: Sendable {
  /// Consists only of numbers, which makes copying rows a plain memory copy.
  struct Row: Sendable {
    let id: Int64
    let rank: UInt64
    /// The index of its keys.
    let keys: Int
  }

  struct Section: Sendable {
    let key: StoredValue
    var count: Int
    var start = 0
  }

  typealias Chunk = ContiguousArray<Row>

  let order: ResultsOrder
  let hasSections: Bool
  var chunks: ContiguousArray<Chunk> = []
  var keys: ResultsKeys
  /// The index of each chunk's first row.
  private(set) var starts: ContiguousArray<Int> = []
  private(set) var count = 0
  /// Runs of rows with the same first key. Without sections there is exactly one run, which may be empty.
  var sections: ContiguousArray<Section> = []

  static let target = 256

  init(_ entries: ContiguousArray<ResultsEntry> = [], order: ResultsOrder, hasSections: Bool) {
    self.order = order
    self.hasSections = hasSections
    keys = ResultsKeys(width: order.width)
    chunks.reserveCapacity(entries.count / Self.target + 1)
    for start in stride(from: 0, to: entries.count, by: Self.target) {
      var chunk = Chunk()
      chunk.reserveCapacity(Self.target)
      for index in start..<min(start + Self.target, entries.count) { chunk.append(row(of: entries[index])) }
      chunks.append(chunk)
    }
    if hasSections {
      for entry in entries {
        if let last = sections.last, order.keyOrder(last.key, entry.key) == 0 {
          sections[sections.count - 1].count += 1
        } else {
          sections.append(Section(key: entry.key, count: 1))
        }
      }
    } else {
      sections = [Section(key: .null, count: entries.count)]
    }
    number()
  }

  /// Stores the keys of a row.
  mutating func row(of entry: ResultsEntry) -> Row {
    Row(id: entry.id, rank: entry.rank, keys: keys.append { entry.keys[$0] })
  }

  /// Updates the start indices of chunks and sections.
  mutating func number() {
    starts.removeAll(keepingCapacity: true)
    count = 0
    for chunk in chunks {
      starts.append(count)
      count += chunk.count
    }
    var start = 0
    for index in sections.indices {
      sections[index].start = start
      start += sections[index].count
    }
  }

  // Order

  /// Compares a row with an entry.
  private func order(of row: Row, to entry: ResultsEntry) -> Int {
    order.order((row.rank, row.id), { keys[row.keys, $0] }, (entry.rank, entry.id), { entry.keys[$0] })
  }

  /// Compares a row with one of another list.
  func order(of row: Row, to other: Row, in others: ResultsRows) -> Int {
    order.order((row.rank, row.id), { keys[row.keys, $0] }, (other.rank, other.id), { others.keys[other.keys, $0] })
  }

  // Places

  subscript(index: Int) -> Row {
    let chunk = last(of: starts.count) { starts[$0] <= index }
    return chunks[chunk][index - starts[chunk]]
  }

  func entry(of row: Row) -> ResultsEntry {
    ResultsEntry(id: row.id, in: order, keys: (0..<order.width).map { keys[row.keys, $0] })
  }

  /// The section that contains a row.
  func section(of index: Int) -> Int {
    sections.count == 1 ? 0 : last(of: sections.count) { sections[$0].start <= index }
  }

  /// The last of `count` ascending indices for which `holds` is true, or 0 if there is none.
  func last(of count: Int, _ holds: (Int) -> Bool) -> Int {
    // The first one need not hold: its chunk may be empty.
    (1..<max(1, count)).partitioningIndex { !holds($0) } - 1
  }

  /// The chunk of a row, and its index in the chunk. If the row does not exist, this is where it would be inserted.
  ///
  /// - Parameter earlier: The chunk of an earlier row. It is examined first, together with the next one.
  func position(of entry: ResultsEntry, from earlier: Int? = nil) -> (chunk: Int, index: Int) {
    let chunk =
      chunk(of: entry, near: earlier) ?? last(of: chunks.count) { order(of: chunks[$0][0], to: entry) <= 0 }
    return (chunk, chunks.isEmpty ? 0 : chunks[chunk].partitioningIndex { order(of: $0, to: entry) >= 0 })
  }

  /// `earlier` or the chunk after it, if the row is, or would be inserted, in one of them.
  private func chunk(of entry: ResultsEntry, near earlier: Int?) -> Int? {
    guard let earlier else { return nil }
    for chunk in earlier...earlier + 1 {
      if chunk + 1 >= chunks.count || order(of: chunks[chunk + 1][0], to: entry) > 0 { return chunk }
    }
    return nil
  }

  func holds(_ entry: ResultsEntry, at position: (chunk: Int, index: Int)) -> Bool {
    !chunks.isEmpty && position.index < chunks[position.chunk].count
      && chunks[position.chunk][position.index].id == entry.id
  }

  /// The index of a row, if it exists with these keys.
  func index(of entry: ResultsEntry) -> Int? {
    let position = position(of: entry)
    return holds(entry, at: position) ? starts[position.chunk] + position.index : nil
  }

  /// The rows with these ids. This walks over all rows.
  func positions(of ids: Set<Int64>) -> [(index: Int, row: Row)] {
    var found: [(Int, Row)] = []
    for (chunk, start) in zip(chunks, starts) {
      for (position, row) in chunk.enumerated() where ids.contains(row.id) { found.append((start + position, row)) }
    }
    return found
  }

  /// Iterates over the rows.
  struct Cursor {
    private let chunks: ContiguousArray<Chunk>
    private var chunk = 0
    private var position = 0
    private(set) var index = 0

    init(_ chunks: ContiguousArray<Chunk>) { self.chunks = chunks }

    var row: Row? { chunk < chunks.count ? chunks[chunk][position] : nil }

    mutating func advance() {
      index += 1
      position += 1
      if position == chunks[chunk].count {
        chunk += 1
        position = 0
      }
    }
  }

  func makeCursor() -> Cursor { Cursor(chunks) }
}

/// The current or previous index of a row.
struct RowPosition: Sendable {
  let index: Int
  let id: Int64
}
