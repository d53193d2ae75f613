/// Where the entries of an object are in a list of changes, without a walk over all of it for each object.
///
/// It is made when it is first asked, and follows a list that grows. Whoever takes entries out of the list resets it.
struct EntryIndex {
  private var places: [UnsafeMutableRawPointer: ContiguousArray<Int>] = [:]
  private var count = 0
  /// How many entries it has looked at since it was made.
  private(set) var steps = 0

  mutating func places<Entry>(
    of object: ManagedObject, in entries: ContiguousArray<Entry>, by pointer: (Entry) -> UnsafeMutableRawPointer
  ) -> ContiguousArray<Int> {
    if count > entries.count { reset() }
    while count < entries.count {
      places[pointer(entries[count]), default: []].append(count)
      count += 1
      steps += 1
    }
    return places[Unmanaged.passUnretained(object).toOpaque()] ?? []
  }

  mutating func reset() {
    guard count > 0 else { return }
    places = [:]
    count = 0
  }
}
