/// Decides which callers share which work. A pure state machine over tickets.
///
/// A key identifies a group from its first member until its work ends or its last member has left, whichever comes
/// first. A later caller starts a new group. `Handle` cancels the work and `Waiter` receives its outcome.
struct SharingState<Key: Hashable & Sendable, Handle, Waiter> {
  struct Ticket: Sendable {
    var key: Key
    var group: Int
    var member: Int
  }

  private struct Member {
    var waiter: Waiter
    var end: Duration?
  }

  private struct Group {
    var number: Int
    var handle: Handle?
    var members: [Int: Member] = [:]
  }

  private var groups: [Key: Group] = [:]
  private var last = 0

  /// The number of groups whose work is in progress.
  var count: Int { groups.count }
  /// The number of callers in all groups.
  var memberCount: Int { groups.values.reduce(0) { $0 + $1.members.count } }
  /// Whether no group is left.
  var isEmpty: Bool { groups.isEmpty }

  /// Returns a ticket and whether its holder starts the work.
  mutating func join(_ key: Key, until end: Duration?, _ waiter: Waiter) -> (Ticket, isFirst: Bool) {
    last += 1
    let isFirst = groups[key] == nil
    var group = groups[key] ?? Group(number: last)
    group.members[last] = Member(waiter: waiter, end: end)
    groups[key] = group
    return (Ticket(key: key, group: group.number, member: last), isFirst)
  }

  /// Records that the work has started. Returns the handle if all members have left.
  mutating func started(_ ticket: Ticket, _ handle: Handle) -> Handle? {
    guard groups[ticket.key]?.number == ticket.group else { return handle }
    groups[ticket.key]?.handle = handle
    return nil
  }

  /// Removes a member. Returns its waiter, and the handle of the work if no member is left.
  mutating func leave(_ ticket: Ticket) -> (waiter: Waiter?, handle: Handle?) {
    guard var group = groups[ticket.key], group.number == ticket.group,
      let member = group.members.removeValue(forKey: ticket.member)
    else { return (nil, nil) }
    groups[ticket.key] = group.members.isEmpty ? nil : group
    return (member.waiter, group.members.isEmpty ? group.handle : nil)
  }

  /// Records the end of the work. Returns the waiters.
  mutating func finish(_ ticket: Ticket) -> [Waiter] {
    guard let group = groups[ticket.key], group.number == ticket.group else { return [] }
    groups[ticket.key] = nil
    return group.members.values.map(\.waiter)
  }

  /// When the last member stops waiting, or nil if one of them waits indefinitely.
  func end(_ ticket: Ticket) -> Duration? {
    guard let group = groups[ticket.key], group.number == ticket.group else { return .zero }
    var latest = Duration.zero
    for member in group.members.values {
      guard let end = member.end else { return nil }
      latest = max(latest, end)
    }
    return latest
  }
}
