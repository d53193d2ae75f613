import LarderTestSupport
import Persistence

/// Random changes of a context, and the same changes of a model.
struct GraphWalk {
  var random: SplitMix
  var graph = Graph()
  /// Objects that stay in memory, so that the walk uses stale ones again.
  var held: [ManagedObject] = []
  /// The last steps, for the report of a difference.
  var log: [String] = []

  init(seed: UInt64) { random = SplitMix(seed: seed) }

  mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  mutating func note(_ text: String) {
    log.append(text)
    if log.count > 60 { log.removeFirst(20) }
  }

  private mutating func pick(_ ids: some Collection<Int64>) -> Int64? { ids.sorted().randomElement(using: &random) }

  private mutating func hold<Object: ManagedObject>(_ object: Object) -> Object {
    if !held.contains(object), chance(40) {
      if held.count >= 24 { held.remove(at: Int.random(in: 0..<held.count, using: &random)) }
      held.append(object)
    }
    return object
  }

  private mutating func someTicket(_ objects: ObjectSpace) throws -> Ticket? {
    guard let id = pick(graph.tickets.keys) else { return nil }
    return hold(try objects.object(ObjectID<Ticket>(rawValue: id)))
  }

  private mutating func someBoard(_ objects: ObjectSpace) throws -> Board? {
    guard let id = pick(graph.boards.keys) else { return nil }
    return hold(try objects.object(ObjectID<Board>(rawValue: id)))
  }

  private mutating func someMarker(_ objects: ObjectSpace) throws -> Marker? {
    guard let id = pick(graph.markers) else { return nil }
    return hold(try objects.object(ObjectID<Marker>(rawValue: id)))
  }

  mutating func step(_ objects: ObjectSpace) throws {
    switch Int.random(in: 0..<16, using: &random) {
    case 0, 1: insert(objects)
    case 2: try rename(objects)
    case 3: try renumber(objects)
    case 4: try setParent(objects)
    case 5, 6: try block(objects)
    case 7: try succeed(objects)
    case 8, 9: try moveTicket(objects)
    case 10: try arrangeTickets(objects)
    case 11, 12: try changeMarkers(objects)
    case 13: try delete(objects)
    case 14: try compareHeld()
    default: try compareAll(objects)
    }
    if chance(30) { try compareHeld() }
  }

  mutating func compareHeld() throws {
    guard let object = held.randomElement(using: &random) else { return }
    if chance(50) { try graph.compareAnswers(of: object) } else { try graph.compare(object) }
  }

  mutating func compareAll(_ objects: ObjectSpace) throws {
    if chance(50) {
      note("ask all")
      let all: [[ManagedObject]] = try [
        objects.fetch(Ticket.self), objects.fetch(Board.self), objects.fetch(Marker.self),
      ]
      for object in all.joined() { try graph.compareAnswers(of: object) }
    }
    if chance(50) { return }
    note("fetch all")
    guard try Graph(objects) == graph else { throw Difference(description: "the fetch differs from the model") }
  }

  private mutating func insert(_ objects: ObjectSpace) {
    switch Int.random(in: 0..<4, using: &random) {
    case 0 where graph.boards.count < 5:
      let board = hold(objects.insert(Board.self))
      graph.boards[board.id.rawValue] = .init()
      note("insert \(board.id)")
    case 1 where graph.markers.count < 8:
      let marker = hold(objects.insert(Marker.self))
      graph.markers.insert(marker.id.rawValue)
      note("insert \(marker.id)")
    default:
      if graph.tickets.count > 40 { return }
      let ticket = hold(objects.insert(Ticket.self))
      graph.tickets[ticket.id.rawValue] = .init()
      note("insert \(ticket.id)")
    }
  }

  private mutating func rename(_ objects: ObjectSpace) throws {
    guard let ticket = try someTicket(objects) else { return }
    let title = "t\(Int.random(in: 0..<50, using: &random))é"
    note("\(ticket.id).title = \(title)")
    ticket.title = title
    graph.tickets[ticket.id.rawValue]?.title = title
  }

  /// Unique values move between objects.
  private mutating func renumber(_ objects: ObjectSpace) throws {
    guard let ticket = try someTicket(objects) else { return }
    let code = Int64.random(in: 0..<8, using: &random)
    note("\(ticket.id).code = \(code)")
    for (other, entry) in graph.tickets where entry.code == code {
      try objects.object(ObjectID<Ticket>(rawValue: other)).code = nil
      graph.tickets[other]?.code = nil
    }
    ticket.code = code
    graph.tickets[ticket.id.rawValue]?.code = code
  }

  private mutating func setParent(_ objects: ObjectSpace) throws {
    guard let child = try someTicket(objects), let parent = try someTicket(objects) else { return }
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      note("\(child.id).parent = nil")
      child.parent = nil
      graph.tickets[child.id.rawValue]?.parent = nil
    case 1:
      note("\(parent.id).children.insert(\(child.id))")
      parent.children.insert(child)
      graph.tickets[child.id.rawValue]?.parent = parent.id.rawValue
    default:
      note("\(child.id).parent = \(parent.id)")
      child.parent = parent
      graph.tickets[child.id.rawValue]?.parent = parent.id.rawValue
    }
  }

  private mutating func block(_ objects: ObjectSpace) throws {
    guard let ticket = try someTicket(objects), let blocker = try someTicket(objects) else { return }
    let pair = [ticket.id.rawValue, blocker.id.rawValue]
    let adds = chance(70)
    note("\(ticket.id).blockers \(adds ? "+" : "-") \(blocker.id)")
    if chance(20) { _ = Array(ticket.blockers) }
    if chance(20) { _ = Array(blocker.blocked) }
    switch (adds, chance(50)) {
    case (true, true): ticket.blockers.insert(blocker)
    case (true, false): blocker.blocked.insert(ticket)
    case (false, true): ticket.blockers.remove(blocker)
    case (false, false): blocker.blocked.remove(ticket)
    }
    if adds { graph.blockers.insert(pair) } else { graph.blockers.remove(pair) }
  }

  private mutating func succeed(_ objects: ObjectSpace) throws {
    guard let ticket = try someTicket(objects), let next = try someTicket(objects) else { return }
    let successor = chance(20) ? nil : next
    note("\(ticket.id).successor = \(successor.map { "\($0.id)" } ?? "nil")")
    if let successor, chance(50) { successor.predecessor = ticket } else { ticket.successor = successor }
    graph.setSuccessor(of: ticket.id.rawValue, to: successor?.id.rawValue)
  }

  private mutating func moveTicket(_ objects: ObjectSpace) throws {
    guard let ticket = try someTicket(objects), let board = try someBoard(objects) else { return }
    let (id, boardID) = (ticket.id.rawValue, board.id.rawValue)
    switch Int.random(in: 0..<5, using: &random) {
    case 0:
      note("\(ticket.id).board = nil")
      ticket.board = nil
      graph.move(id, to: nil)
    case 1:
      note("\(board.id).tickets.insert(\(ticket.id))")
      board.tickets.insert(ticket)
      graph.move(id, to: boardID)
    case 2:
      note("\(board.id).tickets.insert(\(ticket.id), at: 1)")
      board.tickets.insert(ticket, at: 1)
      graph.move(id, to: boardID)
      var tickets = graph.boards[boardID]?.tickets ?? []
      tickets.removeAll { $0 == id }
      tickets.insert(id, at: min(1, tickets.count))
      graph.boards[boardID]?.tickets = tickets
    case 3:
      note("\(board.id).tickets.remove(\(ticket.id))")
      board.tickets.remove(ticket)
      if graph.tickets[id]?.board == boardID { graph.move(id, to: nil) }
    default:
      note("\(ticket.id).board = \(board.id)")
      ticket.board = board
      graph.move(id, to: boardID)
    }
  }

  /// Assigns a list that may contain repetitions.
  private mutating func arrangeTickets(_ objects: ObjectSpace) throws {
    guard let board = try someBoard(objects) else { return }
    var ids: [Int64] = []
    for _ in 0..<Int.random(in: 0..<7, using: &random) { if let id = pick(graph.tickets.keys) { ids.append(id) } }
    note("\(board.id).tickets = \(ids)")
    board.tickets = RelatedObjects(try ids.map { try objects.object(ObjectID<Ticket>(rawValue: $0)) })
    for id in graph.boards[board.id.rawValue]?.tickets ?? [] where !ids.contains(id) { graph.move(id, to: nil) }
    for id in ids { graph.move(id, to: board.id.rawValue) }
    graph.boards[board.id.rawValue]?.tickets = ids.unique
  }

  private mutating func changeMarkers(_ objects: ObjectSpace) throws {
    guard let board = try someBoard(objects), let marker = try someMarker(objects) else { return }
    let (boardID, id) = (board.id.rawValue, marker.id.rawValue)
    var markers = graph.boards[boardID]?.markers ?? []
    switch Int.random(in: 0..<6, using: &random) {
    case 0:
      note("\(board.id).markers.remove(\(marker.id))")
      board.markers.remove(marker)
      markers.removeAll { $0 == id }
    case 1:
      note("\(marker.id).boards.remove(\(board.id))")
      marker.boards.remove(board)
      markers.removeAll { $0 == id }
    case 2:
      note("\(board.id).markers.insert(\(marker.id), at: 0)")
      board.markers.insert(marker, at: 0)
      markers.removeAll { $0 == id }
      markers.insert(id, at: 0)
    case 3:
      let ids = (0..<4).compactMap { _ in pick(graph.markers) }
      note("\(board.id).markers = \(ids)")
      board.markers = RelatedObjects(try ids.map { try objects.object(ObjectID<Marker>(rawValue: $0)) })
      markers = ids.unique
    case 4:
      note("\(marker.id).boards.insert(\(board.id))")
      marker.boards.insert(board)
      if !markers.contains(id) { markers.append(id) }
    default:
      note("\(board.id).markers.insert(\(marker.id))")
      board.markers.insert(marker)
      if !markers.contains(id) { markers.append(id) }
    }
    graph.boards[boardID]?.markers = markers
  }

  private mutating func delete(_ objects: ObjectSpace) throws {
    switch Int.random(in: 0..<8, using: &random) {
    case 0:
      guard let board = try someBoard(objects) else { return }
      note("delete \(board.id)")
      objects.delete(board)
      graph.deleteBoard(board.id.rawValue)
    case 1:
      guard let marker = try someMarker(objects) else { return }
      note("delete \(marker.id)")
      objects.delete(marker)
      graph.deleteMarker(marker.id.rawValue)
    default:
      guard let ticket = try someTicket(objects) else { return }
      note("delete \(ticket.id)")
      objects.delete(ticket)
      graph.deleteTicket(ticket.id.rawValue)
    }
  }
}

extension Array where Element == Int64 {
  /// Without repetitions; the first of each stays.
  fileprivate var unique: [Int64] {
    var seen: Set<Int64> = []
    return filter { seen.insert($0).inserted }
  }
}
