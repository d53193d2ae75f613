/// Finds a container among the closed ones, by its number or by its name in the object around it.
///
/// The index is filled only when a closed container is written to again, and later continues from there, so each
/// container is added once.
struct ClosedIndex {
  private struct Member: Hashable {
    let parent: UInt32
    let name: AnyKey

    init(_ parent: UInt32, _ name: String) {
      self.parent = parent
      self.name = AnyKey(stringValue: name)
    }
  }

  private var indices: [UInt32: Int] = [:]
  private var members: [Member: Int] = [:]
  /// How many of the closed containers are in the index.
  private var count = 0
  /// How many were ever added, which is the cost of the index.
  private(set) var entered = 0

  var isEmpty: Bool { count == 0 && indices.isEmpty && members.isEmpty }

  mutating func index(of number: UInt32, in closed: [ClosedContainer]) -> Int? {
    enter(closed)
    return indices[number]
  }

  /// The same for a member of an object; nil if the member has another value now.
  mutating func index(of name: String, inObject parent: UInt32, _ closed: [ClosedContainer]) -> Int? {
    enter(closed)
    guard let index = members[Member(parent, name)], closed[index].container.parent == parent else { return nil }
    return index
  }

  private mutating func enter(_ closed: [ClosedContainer]) {
    while count < closed.count {
      let container = closed[count].container
      indices[container.number] = count
      if container.parent != 0 { members[Member(container.parent, container.name)] = count }
      count += 1
      entered += 1
    }
  }

  /// Removes the last closed container, which was at that position.
  @inline(__always)
  mutating func remove(_ container: OpenContainer, at index: Int) {
    guard index < count else { return }
    count = index
    indices[container.number] = nil
    let member = Member(container.parent, container.name)
    if members[member] == index { members[member] = nil }
  }
}
