/// Finds the entries of an object in a list of changes without scanning the whole list for each object.
///
/// The index is built on first use and follows a growing list. Code that removes entries from the list must reset the
/// index.
struct EntryIndex {
  private var indexes: [UnsafeMutableRawPointer: ContiguousArray<Int>] = [:]
  private var count = 0
  /// The number of entries that were indexed in total.
  private(set) var steps = 0

  mutating func indexes<Entry>(
    of object: ManagedObject, in entries: ContiguousArray<Entry>, by pointer: (Entry) -> UnsafeMutableRawPointer
  ) -> ContiguousArray<Int> {
    if count > entries.count { reset() }
    while count < entries.count {
      indexes[pointer(entries[count]), default: []].append(count)
      count += 1
      steps += 1
    }
    return indexes[Unmanaged.passUnretained(object).toOpaque()] ?? []
  }

  mutating func reset() {
    guard count > 0 else { return }
    indexes = [:]
    count = 0
  }
}
