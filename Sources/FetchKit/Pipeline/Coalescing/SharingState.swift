/// Who shares which work: a pure state machine over tickets.
///
/// A group is found by its key from the first who joins until its work ends or the last has left, whichever is first:
/// who comes later begins anew. `Handle` is what cancels the work, `Waiter` what is resumed.
struct SharingState<Key: Hashable & Sendable, Ending, Handle, Waiter> {
  struct Ticket: Sendable {
    var key: Key
    var group: Int
    var member: Int
  }

  private struct Member {
    var waiter: Waiter?
    var end: Duration?
  }

  private struct Group {
    var number: Int
    var handle: Handle?
    var members: [Int: Member] = [:]
  }

  private var groups: [Key: Group] = [:]
  // What was decided between joining and waiting.
  private var early: [Int: Ending] = [:]
  private var last = 0

  /// How many works are under way.
  var count: Int { groups.count }
  /// How many share them.
  var memberCount: Int { groups.values.reduce(0) { $0 + $1.members.count } }
  /// Whether nobody is forgotten.
  var isEmpty: Bool { groups.isEmpty && early.isEmpty }

  /// A ticket, and whether its holder starts the work.
  mutating func join(_ key: Key, until end: Duration?) -> (Ticket, isFirst: Bool) {
    last += 1
    let isFirst = groups[key] == nil
    var group = groups[key] ?? Group(number: last)
    group.members[last] = Member(end: end)
    groups[key] = group
    return (Ticket(key: key, group: group.number, member: last), isFirst)
  }

  /// The work has been started; the handle comes back where nobody wants it any more.
  mutating func started(_ ticket: Ticket, _ handle: Handle) -> Handle? {
    guard groups[ticket.key]?.number == ticket.group else { return handle }
    groups[ticket.key]?.handle = handle
    return nil
  }

  /// What is known already; nil where the waiter will be resumed later.
  mutating func wait(_ ticket: Ticket, _ waiter: Waiter) -> Ending? {
    if let ending = early.removeValue(forKey: ticket.member) { return ending }
    groups[ticket.key]?.members[ticket.member]?.waiter = waiter
    return nil
  }

  /// One leaves: its waiter, and the handle of work that nobody is left for.
  mutating func leave(_ ticket: Ticket, _ ending: Ending) -> (waiter: Waiter?, handle: Handle?) {
    guard var group = groups[ticket.key], group.number == ticket.group,
      let member = group.members.removeValue(forKey: ticket.member)
    else { return (nil, nil) }
    if member.waiter == nil { early[ticket.member] = ending }
    groups[ticket.key] = group.members.isEmpty ? nil : group
    return (member.waiter, group.members.isEmpty ? group.handle : nil)
  }

  /// The work ended: those who wait for it.
  mutating func finish(_ ticket: Ticket, _ ending: Ending) -> [Waiter] {
    guard let group = groups[ticket.key], group.number == ticket.group else { return [] }
    groups[ticket.key] = nil
    for (number, member) in group.members where member.waiter == nil { early[number] = ending }
    return group.members.values.compactMap(\.waiter)
  }

  /// When the last of those who share it gives up; nil for never.
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
