extension ResultsRows {
  /// Removes and inserts rows. Returns nil without changes if a row to remove does not exist.
  ///
  /// - Returns: The old positions of the removed rows and the new positions of the inserted ones, both ascending.
  mutating func replace(
    _ gone: [ResultsEntry], by come: [ResultsEntry]
  ) -> (removed: [RowPosition], inserted: [RowPosition])? {
    var removals: [Position] = []
    removals.reserveCapacity(gone.count)
    for index in inOrder(gone) {
      let position = position(of: gone[index], from: removals.last?.chunk)
      guard holds(gone[index], at: position) else { return nil }
      removals.append(position)
    }
    let removed = removals.map { RowPosition(index: starts[$0.chunk] + $0.index, id: chunks[$0.chunk][$0.index].id) }
    for entry in gone { tally(entry.key, by: -1) }
    for entry in come { tally(entry.key, by: 1) }
    if hasSections { sections.removeAll { $0.count == 0 } }
    let inserted = rebuild(without: removals, with: come)
    number()
    let positions = inserted.map { RowPosition(index: starts[$0.chunk] + $0.index, id: chunks[$0.chunk][$0.index].id) }
    if inserted.contains(where: { chunks[$0.chunk].count > 2 * Self.target }) { split() }
    if keys.count > 2 * count + 4 * Self.target { renewKeys() }
    return (removed, positions)
  }

  private typealias Position = (chunk: Int, index: Int)

  /// The indices of the entries in sorted order.
  private func inOrder(_ entries: [ResultsEntry]) -> [Int] {
    var ranks = entries.indices.map { (rank: entries[$0].rank, index: $0) }
    ranks.sort { left, right in
      left.rank != right.rank
        ? left.rank < right.rank : order.order(entries[left.index], entries[right.index]) < 0
    }
    return ranks.map(\.index)
  }

  /// Rebuilds each affected chunk once, because other copies hold the previous chunk.
  ///
  /// - Returns: The positions of the inserted rows.
  private mutating func rebuild(without removals: [Position], with entries: [ResultsEntry]) -> [Position] {
    if chunks.isEmpty && !entries.isEmpty { chunks.append([]) }
    var come: [Row] = []
    var positions: [Position] = []
    come.reserveCapacity(entries.count)
    positions.reserveCapacity(entries.count)
    for index in inOrder(entries) {
      positions.append(position(of: entries[index], from: positions.last?.chunk))
      come.append(row(of: entries[index]))
    }
    var inserted: [Position] = []
    inserted.reserveCapacity(come.count)
    var (removal, coming) = (0, 0)
    var hasEmpty = false
    while removal < removals.count || coming < come.count {
      let chunk = min(
        removal < removals.count ? removals[removal].chunk : .max, coming < come.count ? positions[coming].chunk : .max)
      let old = chunks[chunk]
      var new = Chunk()
      new.reserveCapacity(old.count + 16)
      var copied = 0
      while true {
        let gap = coming < come.count && positions[coming].chunk == chunk ? positions[coming].index : .max
        let gone = removal < removals.count && removals[removal].chunk == chunk ? removals[removal].index : .max
        let next = min(gap, gone, old.count)
        new.append(contentsOf: old[copied..<next])
        copied = next
        if gap == next {
          inserted.append((chunk, new.count))
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

  private mutating func removeEmptyChunks(before positions: inout [Position]) {
    var numbers: [Int] = []
    var count = 0
    for chunk in chunks {
      numbers.append(count)
      if !chunk.isEmpty { count += 1 }
    }
    for index in positions.indices { positions[index].chunk = numbers[positions[index].chunk] }
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

  /// Discards the keys of removed rows. This walks over all rows, but only after as many were removed as exist.
  private mutating func renewKeys() {
    var living = ResultsKeys(width: order.width)
    for index in chunks.indices {
      var chunk = Chunk()
      chunk.reserveCapacity(chunks[index].count)
      for row in chunks[index] {
        chunk.append(Row(id: row.id, rank: row.rank, keys: living.append { keys[row.keys, $0] }))
      }
      chunks[index] = chunk
    }
    keys = living
  }
}
