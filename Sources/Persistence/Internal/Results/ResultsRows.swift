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
  ///
  /// - Parameter earlier: the chunk of a row before it, which is then looked at first, with the one behind it.
  private func place(of entry: ResultsEntry, from earlier: Int? = nil) -> (chunk: Int, index: Int) {
    let chunk = chunk(of: entry, near: earlier) ?? last(of: chunks.count) { !order.precedes(entry, chunks[$0][0]) }
    var low = 0
    var high = chunks.isEmpty ? 0 : chunks[chunk].count
    while low < high {
      let middle = (low + high) / 2
      if order.precedes(chunks[chunk][middle], entry) { low = middle + 1 } else { high = middle }
    }
    return (chunk, low)
  }

  /// The chunk that comes `earlier`, or the one behind it, if a row is there, or belongs there.
  private func chunk(of entry: ResultsEntry, near earlier: Int?) -> Int? {
    guard let earlier else { return nil }
    for chunk in earlier...earlier + 1 {
      if chunk + 1 >= chunks.count || order.precedes(entry, chunks[chunk + 1][0]) { return chunk }
    }
    return nil
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
    var removals: [Removal] = []
    removals.reserveCapacity(gone.count)
    for entry in gone {
      let place = place(of: entry)
      guard !chunks.isEmpty, place.index < chunks[place.chunk].count, chunks[place.chunk][place.index].id == entry.id
      else { return nil }
      removals.append((place.chunk, place.index, entry.id))
    }
    removals.sort { ($0.chunk, $0.index) < ($1.chunk, $1.index) }
    let removed = removals.map { RowPlace(index: starts[$0.chunk] + $0.index, id: $0.id) }
    for entry in gone { tally(entry.key, by: -1) }
    for entry in come { tally(entry.key, by: 1) }
    if hasSections { sections.removeAll { $0.count == 0 } }
    let inserted = rebuild(without: removals, with: sorted(come))
    number()
    let places = inserted.map { RowPlace(index: starts[$0.chunk] + $0.index, id: $0.id) }
    if inserted.contains(where: { chunks[$0.chunk].count > 2 * Self.target }) { split() }
    return (removed, places)
  }

  private typealias Removal = (chunk: Int, index: Int, id: Int64)

  /// By their numbers, which are less to move about than the rows.
  private func sorted(_ entries: [ResultsEntry]) -> [ResultsEntry] {
    if entries.count < 2 { return entries }
    let numbers = entries.indices.sorted { order.precedes(entries[$0], entries[$1]) }
    return numbers.map { entries[$0] }
  }

  /// Makes each chunk that something happens to anew, once: others hold what it was.
  ///
  /// - Returns: where those that come are then.
  private mutating func rebuild(
    without removals: [Removal], with come: [ResultsEntry]
  ) -> [(chunk: Int, index: Int, id: Int64)] {
    if chunks.isEmpty && !come.isEmpty { chunks.append([]) }
    var places: [(chunk: Int, index: Int)] = []
    places.reserveCapacity(come.count)
    for entry in come { places.append(place(of: entry, from: places.last?.chunk)) }
    var inserted: [(chunk: Int, index: Int, id: Int64)] = []
    inserted.reserveCapacity(come.count)
    var (removal, coming) = (0, 0)
    var hasEmpty = false
    while removal < removals.count || coming < come.count {
      let chunk = min(
        removal < removals.count ? removals[removal].chunk : .max, coming < come.count ? places[coming].chunk : .max)
      let old = chunks[chunk]
      var new = Chunk()
      new.reserveCapacity(old.count + 16)
      var copied = 0
      while true {
        let gap = coming < come.count && places[coming].chunk == chunk ? places[coming].index : .max
        let gone = removal < removals.count && removals[removal].chunk == chunk ? removals[removal].index : .max
        let next = min(gap, gone, old.count)
        new.append(contentsOf: old[copied..<next])
        copied = next
        if gap == next {
          inserted.append((chunk, new.count, come[coming].id))
          new.append(come[coming])
          coming += 1
        } else if gone == next {
          copied += 1
          removal += 1
        } else {
          break
        }
      }
      chunks[chunk] = new
      hasEmpty = hasEmpty || new.isEmpty
    }
    if hasEmpty { removeEmptyChunks(before: &inserted) }
    return inserted
  }

  private mutating func removeEmptyChunks(before places: inout [(chunk: Int, index: Int, id: Int64)]) {
    var numbers: [Int] = []
    var count = 0
    for chunk in chunks {
      numbers.append(count)
      if !chunk.isEmpty { count += 1 }
    }
    for index in places.indices { places[index].chunk = numbers[places[index].chunk] }
    chunks.removeAll(where: \.isEmpty)
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
