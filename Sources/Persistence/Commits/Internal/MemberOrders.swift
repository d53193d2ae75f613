/// The members of an ordered relationship, in their order before and after a commit.
struct MemberOrders: Sendable, Hashable {
  var old: [Int64]
  var new: [Int64]

  var inverted: MemberOrders { MemberOrders(old: new, new: old) }

  /// Returns the members in the order that the commit gave them. Those that it does not name come last.
  ///
  /// If the commit only added and removed members, and the rest were reordered since, they stay as they are: nil.
  func arranged(_ members: [Int64]) -> [Int64]? {
    let current = Set(members)
    let rest = current.intersection(old).intersection(new)
    func order(_ ids: [Int64]) -> [Int64] { ids.filter(rest.contains) }
    if order(old) == order(new), order(members) != order(new) { return nil }
    let known = Set(new)
    return new.filter(current.contains) + members.filter { !known.contains($0) }
  }
}
