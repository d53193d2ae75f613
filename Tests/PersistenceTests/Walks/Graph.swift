import Persistence

/// The expected contents of a store of tickets, boards and markers, in plain dictionaries.
struct Graph: Equatable, Sendable {
  struct TicketEntry: Equatable, Sendable {
    var title = ""
    var code: Int64?
    var parent: Int64?
    var successor: Int64?
    var board: Int64?
  }

  struct BoardEntry: Equatable, Sendable {
    /// In their order.
    var tickets: [Int64] = []
    var markers: [Int64] = []
  }

  var tickets: [Int64: TicketEntry] = [:]
  var boards: [Int64: BoardEntry] = [:]
  var markers: Set<Int64> = []
  /// Ticket and blocker.
  var blockers: Set<[Int64]> = []

  func children(of id: Int64) -> Set<Int64> { Set(tickets.filter { $0.value.parent == id }.keys) }

  func blockers(of id: Int64) -> Set<Int64> { Set(blockers.filter { $0[0] == id }.map { $0[1] }) }

  func blocked(by id: Int64) -> Set<Int64> { Set(blockers.filter { $0[1] == id }.map { $0[0] }) }

  func predecessor(of id: Int64) -> Int64? { tickets.first { $0.value.successor == id }?.key }

  func boards(of marker: Int64) -> Set<Int64> { Set(boards.filter { $0.value.markers.contains(marker) }.keys) }

  /// Moves a ticket to the end of another board, or to none; a ticket that is already there keeps its position.
  mutating func move(_ ticket: Int64, to board: Int64?) {
    guard let old = tickets[ticket]?.board else {
      tickets[ticket]?.board = board
      if let board { boards[board]?.tickets.append(ticket) }
      return
    }
    if old == board { return }
    boards[old]?.tickets.removeAll { $0 == ticket }
    tickets[ticket]?.board = board
    if let board { boards[board]?.tickets.append(ticket) }
  }

  mutating func setSuccessor(of ticket: Int64, to successor: Int64?) {
    if let successor {
      for other in tickets.keys where tickets[other]?.successor == successor { tickets[other]?.successor = nil }
    }
    tickets[ticket]?.successor = successor
  }

  /// Deletes a ticket with all its descendants.
  mutating func deleteTicket(_ id: Int64) {
    var going = [id]
    while let next = going.popLast() {
      guard tickets[next] != nil else { continue }
      going += children(of: next)
      move(next, to: nil)
      tickets[next] = nil
      blockers = blockers.filter { !$0.contains(next) }
      for other in tickets.keys {
        if tickets[other]?.parent == next { tickets[other]?.parent = nil }
        if tickets[other]?.successor == next { tickets[other]?.successor = nil }
      }
    }
  }

  mutating func deleteBoard(_ id: Int64) {
    boards[id] = nil
    for ticket in tickets.keys where tickets[ticket]?.board == id { tickets[ticket]?.board = nil }
  }

  mutating func deleteMarker(_ id: Int64) {
    markers.remove(id)
    for board in boards.keys { boards[board]?.markers.removeAll { $0 == id } }
  }
}

extension Graph {
  /// The contents that a context fetches. Both sides of each relationship are compared.
  init(_ objects: ObjectSpace) throws {
    for ticket in try objects.fetch(Ticket.self) {
      let id = ticket.id.rawValue
      tickets[id] = TicketEntry(
        title: ticket.title, code: ticket.code, parent: ticket.parent?.id.rawValue,
        successor: ticket.successor?.id.rawValue, board: ticket.board?.id.rawValue)
      for blocker in ticket.blockers { blockers.insert([id, blocker.id.rawValue]) }
    }
    for board in try objects.fetch(Board.self) {
      boards[board.id.rawValue] = BoardEntry(
        tickets: board.tickets.map(\.id.rawValue), markers: board.markers.map(\.id.rawValue))
    }
    for marker in try objects.fetch(Marker.self) {
      markers.insert(marker.id.rawValue)
      try expect(Set(marker.boards.map(\.id.rawValue)), boards(of: marker.id.rawValue), "\(marker.id).boards")
    }
    for ticket in try objects.fetch(Ticket.self) { try compareInverses(of: ticket) }
  }

  private func compareInverses(of ticket: Ticket) throws {
    let id = ticket.id.rawValue
    try expect(Set(ticket.children.map(\.id.rawValue)), children(of: id), "\(ticket.id).children")
    try expect(Set(ticket.blocked.map(\.id.rawValue)), blocked(by: id), "\(ticket.id).blocked")
    try expect(ticket.predecessor?.id.rawValue, predecessor(of: id), "\(ticket.id).predecessor")
  }

  /// Compares one object in memory with the model, without a separate fetch.
  func compare(_ object: ManagedObject) throws {
    switch object {
    case let ticket as Ticket: try compare(ticket)
    case let board as Board:
      let entry = boards[board.id.rawValue]
      try expect(board.isDeleted, entry == nil, "\(board.id).isDeleted")
      guard let entry else { return }
      try expect(board.tickets.count, entry.tickets.count, "\(board.id).tickets.count")
      try expect(board.tickets.first?.id.rawValue, entry.tickets.first, "\(board.id).tickets.first")
      try expect(board.tickets.map(\.id.rawValue), entry.tickets, "\(board.id).tickets")
      try expect(board.markers.map(\.id.rawValue), entry.markers, "\(board.id).markers")
    case let marker as Marker:
      try expect(marker.isDeleted, !markers.contains(marker.id.rawValue), "\(marker.id).isDeleted")
      if marker.isDeleted { return }
      try expect(Set(marker.boards.map(\.id.rawValue)), boards(of: marker.id.rawValue), "\(marker.id).boards")
    default: return
    }
  }

  /// Compares what can be asked about members without loading them.
  func compareAnswers(of object: ManagedObject) throws {
    if object.isDeleted { return }
    switch object {
    case let ticket as Ticket:
      let id = ticket.id.rawValue
      try compare(ticket.children, children(of: id).sorted(), "\(ticket.id).children")
      try compare(ticket.blockers, blockers(of: id).sorted(), "\(ticket.id).blockers")
      try compare(ticket.blocked, blocked(by: id).sorted(), "\(ticket.id).blocked")
    case let board as Board:
      let entry = boards[board.id.rawValue]
      try compare(board.tickets, entry?.tickets ?? [], "\(board.id).tickets")
      try compare(board.markers, entry?.markers ?? [], "\(board.id).markers")
    case let marker as Marker:
      try compare(marker.boards, boards(of: marker.id.rawValue).sorted(), "\(marker.id).boards")
    default: return
    }
  }

  private func compare<Member>(_ members: RelatedObjects<Member>, _ ids: [Int64], _ what: String) throws {
    try expect(members.count, ids.count, what + ".count")
    try expect(members.isEmpty, ids.isEmpty, what + ".isEmpty")
    let first = members.first
    try expect(first?.id.rawValue, ids.first, what + ".first")
    if let first { try expect(members.contains(first), true, what + ".contains") }
  }

  private func compare(_ ticket: Ticket) throws {
    let id = ticket.id.rawValue
    try expect(ticket.isDeleted, tickets[id] == nil, "\(ticket.id).isDeleted")
    guard let entry = tickets[id] else { return }
    try expect(ticket.title, entry.title, "\(ticket.id).title")
    try expect(ticket.code, entry.code, "\(ticket.id).code")
    try expect(ticket.parent?.id.rawValue, entry.parent, "\(ticket.id).parent")
    try expect(ticket.successor?.id.rawValue, entry.successor, "\(ticket.id).successor")
    try expect(ticket.board?.id.rawValue, entry.board, "\(ticket.id).board")
    try expect(ticket.blockers.count, blockers(of: id).count, "\(ticket.id).blockers.count")
    try expect(Set(ticket.blockers.map(\.id.rawValue)), blockers(of: id), "\(ticket.id).blockers")
    for member in Array(ticket.children) + Array(ticket.blocked) where member.isDeleted {
      throw Difference(description: "\(ticket.id) leads to \(member.id), which is deleted")
    }
    try compareInverses(of: ticket)
  }

  private func expect<Value: Equatable>(_ found: Value, _ wanted: Value, _ what: String) throws {
    if found != wanted { throw Difference(description: "\(what) is \(found) and not \(wanted)") }
  }
}

/// A difference between a context and its model.
struct Difference: Error, CustomStringConvertible {
  let description: String
}
