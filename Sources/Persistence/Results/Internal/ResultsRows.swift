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
    Row(id: entry.id, rank: entry.rank, keys: keys.append { entry.key($0) })
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

  /// Compares a row with an entry: negative, zero or positive. It is zero only for the entry's own row with the same
  /// keys.
  private func order(of row: Row, to entry: ResultsEntry) -> Int {
    if row.rank != entry.rank { return row.rank < entry.rank ? -1 : 1 }
    for index in 0..<order.width {
      let order = order.keyOrder(keys[row.keys, index], entry.key(index), at: index)
      if order != 0 { return order }
    }
    return row.id < entry.id ? -1 : row.id > entry.id ? 1 : 0
  }

  /// Compares a row with one of another list.
  func order(of row: Row, to other: Row, in others: ResultsRows) -> Int {
    if row.rank != other.rank { return row.rank < other.rank ? -1 : 1 }
    for index in 0..<order.width {
      let order = order.keyOrder(keys[row.keys, index], others.keys[other.keys, index], at: index)
      if order != 0 { return order }
    }
    return row.id < other.id ? -1 : row.id > other.id ? 1 : 0
  }

  // Places

  subscript(index: Int) -> Row {
    let chunk = last(of: starts.count) { starts[$0] <= index }
    return chunks[chunk][index - starts[chunk]]
  }

  func entry(of row: Row) -> ResultsEntry {
    ResultsEntry(
      id: row.id, in: order, key: order.width < 1 ? .null : keys[row.keys, 0],
      second: order.width < 2 ? .null : keys[row.keys, 1],
      others: order.width < 3 ? [] : (2..<order.width).map { keys[row.keys, $0] })
  }

  /// The section that contains a row.
  func section(of index: Int) -> Int {
    sections.count == 1 ? 0 : last(of: sections.count) { sections[$0].start <= index }
  }

  /// The last of `count` ascending indices for which `holds` is true, or 0 if there is none.
  func last(of count: Int, _ holds: (Int) -> Bool) -> Int {
    var low = 0
    var high = count
    while high - low > 1 {
      let middle = (low + high) / 2
      if holds(middle) { low = middle } else { high = middle }
    }
    return low
  }

  /// The chunk of a row, and its index in the chunk. If the row does not exist, this is where it would be inserted.
  ///
  /// - Parameter earlier: The chunk of an earlier row. It is examined first, together with the next one.
  func place(of entry: ResultsEntry, from earlier: Int? = nil) -> (chunk: Int, index: Int) {
    let chunk =
      chunk(of: entry, near: earlier) ?? last(of: chunks.count) { order(of: chunks[$0][0], to: entry) <= 0 }
    var low = 0
    var high = chunks.isEmpty ? 0 : chunks[chunk].count
    while low < high {
      let middle = (low + high) / 2
      if order(of: chunks[chunk][middle], to: entry) < 0 { low = middle + 1 } else { high = middle }
    }
    return (chunk, low)
  }

  /// `earlier` or the chunk after it, if the row is, or would be inserted, in one of them.
  private func chunk(of entry: ResultsEntry, near earlier: Int?) -> Int? {
    guard let earlier else { return nil }
    for chunk in earlier...earlier + 1 {
      if chunk + 1 >= chunks.count || order(of: chunks[chunk + 1][0], to: entry) > 0 { return chunk }
    }
    return nil
  }

  func holds(_ entry: ResultsEntry, at place: (chunk: Int, index: Int)) -> Bool {
    !chunks.isEmpty && place.index < chunks[place.chunk].count && chunks[place.chunk][place.index].id == entry.id
  }

  /// The index of a row, if it exists with these keys.
  func index(of entry: ResultsEntry) -> Int? {
    let place = place(of: entry)
    return holds(entry, at: place) ? starts[place.chunk] + place.index : nil
  }

  /// The rows with these ids. This walks over all rows.
  func places(of ids: Set<Int64>) -> [(index: Int, row: Row)] {
    var found: [(Int, Row)] = []
    for (chunk, start) in zip(chunks, starts) {
      for (place, row) in chunk.enumerated() where ids.contains(row.id) { found.append((start + place, row)) }
    }
    return found
  }

  /// Iterates over the rows.
  struct Cursor {
    private let chunks: ContiguousArray<Chunk>
    private var chunk = 0
    private var place = 0
    private(set) var index = 0

    init(_ chunks: ContiguousArray<Chunk>) { self.chunks = chunks }

    var row: Row? { chunk < chunks.count ? chunks[chunk][place] : nil }

    mutating func advance() {
      index += 1
      place += 1
      if place == chunks[chunk].count {
        chunk += 1
        place = 0
      }
    }
  }

  func makeCursor() -> Cursor { Cursor(chunks) }
}

/// The current or previous index of a row.
struct RowPlace: Sendable {
  let index: Int
  let id: Int64
}
