/// A sorted list in chunks: a change touches one chunk, and copies share the others.
struct ResultsRows: Sendable {
  typealias Chunk = ContiguousArray<ResultsEntry>

  struct Section: Sendable {
    let key: StoredValue
    var count: Int
    var start = 0
  }

  let order: ResultsOrder
  let hasSections: Bool
  private(set) var chunks: ContiguousArray<Chunk> = []
  /// The place of each chunk's first row.
  private(set) var starts: ContiguousArray<Int> = []
  private(set) var count = 0
  /// Runs of rows with the same first key; without sections one, even if it is empty.
  private(set) var sections: ContiguousArray<Section> = []

  static let target = 256

  init(_ entries: ContiguousArray<ResultsEntry> = [], order: ResultsOrder, hasSections: Bool) {
    self.order = order
    self.hasSections = hasSections
    chunks.reserveCapacity(entries.count / Self.target + 1)
    for start in stride(from: 0, to: entries.count, by: Self.target) {
      chunks.append(Chunk(entries[start..<min(start + Self.target, entries.count)]))
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

  /// Where chunks and sections begin.
  private mutating func number() {
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

  subscript(index: Int) -> ResultsEntry {
    let chunk = last(of: starts.count) { starts[$0] <= index }
    return chunks[chunk][index - starts[chunk]]
  }

  /// The section that a row is in.
  func section(of index: Int) -> Int {
    sections.count == 1 ? 0 : last(of: sections.count) { sections[$0].start <= index }
  }

  /// The last of `count` places, in rising order, for which `holds` is true; 0 if for none.
  private func last(of count: Int, _ holds: (Int) -> Bool) -> Int {
    var low = 0
    var high = count
    while high - low > 1 {
      let middle = (low + high) / 2
      if holds(middle) { low = middle } else { high = middle }
    }
    return low
  }

  /// The chunk and the place in it where a row is, or belongs.
  private func place(of entry: ResultsEntry) -> (chunk: Int, index: Int) {
    let chunk = last(of: chunks.count) { !order.precedes(entry, chunks[$0][0]) }
    var low = 0
    var high = chunks.isEmpty ? 0 : chunks[chunk].count
    while low < high {
      let middle = (low + high) / 2
      if order.precedes(chunks[chunk][middle], entry) { low = middle + 1 } else { high = middle }
    }
    return (chunk, low)
  }

  /// Where a row is, if it is there with these keys.
  func index(of entry: ResultsEntry) -> Int? {
    let place = place(of: entry)
    guard !chunks.isEmpty, place.index < chunks[place.chunk].count, chunks[place.chunk][place.index].id == entry.id
    else { return nil }
    return starts[place.chunk] + place.index
  }

  /// The rows with these ids, which takes a walk over all rows.
  func places(of ids: Set<Int64>) -> [(index: Int, entry: ResultsEntry)] {
    var found: [(Int, ResultsEntry)] = []
    for (chunk, start) in zip(chunks, starts) {
      for (place, entry) in chunk.enumerated() where ids.contains(entry.id) { found.append((start + place, entry)) }
    }
    return found
  }

  /// Takes rows out and puts others in. Nil, and nothing is done, if one that is to go is not there.
  ///
  /// - Returns: the old places of those that have gone, and the new ones of those that have come, both rising.
  mutating func replace(
    _ gone: [ResultsEntry], by come: [ResultsEntry]
  ) -> (removed: [RowPlace], inserted: [RowPlace])? {
    var removed: [(chunk: Int, index: Int, place: RowPlace)] = []
    for entry in gone {
      let place = place(of: entry)
      guard !chunks.isEmpty, place.index < chunks[place.chunk].count, chunks[place.chunk][place.index].id == entry.id
      else { return nil }
      removed.append((place.chunk, place.index, RowPlace(index: starts[place.chunk] + place.index, id: entry.id)))
    }
    removed.sort { $0.place.index < $1.place.index }
    for entry in removed.reversed() {
      tally(chunks[entry.chunk][entry.index].key, by: -1)
      chunks[entry.chunk].remove(at: entry.index)
    }
    if removed.contains(where: { chunks[$0.chunk].isEmpty }) { chunks.removeAll(where: \.isEmpty) }
    var inserted: [(chunk: Int, index: Int, id: Int64)] = []
    var hasGrown = false
    for entry in come.count > 1 ? come.sorted(by: order.precedes) : come {
      if chunks.isEmpty { chunks.append([]) }
      let place = chunks[0].isEmpty ? (chunk: 0, index: 0) : place(of: entry)
      chunks[place.chunk].insert(entry, at: place.index)
      tally(entry.key, by: 1)
      // In rising order, no later one moves an earlier one.
      inserted.append((place.chunk, place.index, entry.id))
      hasGrown = hasGrown || chunks[place.chunk].count > 2 * Self.target
    }
    if hasSections { sections.removeAll { $0.count == 0 } }
    number()
    let places = inserted.map { RowPlace(index: starts[$0.chunk] + $0.index, id: $0.id) }
    if hasGrown { split() }
    return (removed.map(\.place), places)
  }

  private mutating func tally(_ key: StoredValue, by change: Int) {
    guard hasSections else {
      sections[0].count += change
      return
    }
    let index = last(of: sections.count) { order.keyOrder(sections[$0].key, key) <= 0 }
    if !sections.isEmpty, order.keyOrder(sections[index].key, key) == 0 {
      sections[index].count += change
    } else {
      let isAfter = !sections.isEmpty && order.keyOrder(sections[index].key, key) < 0
      sections.insert(Section(key: key, count: change), at: isAfter ? index + 1 : index)
    }
  }

  private mutating func split() {
    var result: ContiguousArray<Chunk> = []
    result.reserveCapacity(chunks.count * 2)
    for chunk in chunks {
      if chunk.count <= 2 * Self.target {
        result.append(chunk)
      } else {
        for start in stride(from: 0, to: chunk.count, by: Self.target) {
          result.append(Chunk(chunk[start..<min(start + Self.target, chunk.count)]))
        }
      }
    }
    chunks = result
    number()
  }
}

/// Where a row is, or was.
struct RowPlace: Sendable {
  let index: Int
  let id: Int64
}
