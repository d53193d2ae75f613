import Persistence

/// A class with every kind of relationship to itself and to others.
final class Ticket: ManagedObject {
  @Attribute var title = ""
  @Attribute(.unique) var code: Int64?
  /// Not part of the model: saves fail while it is NaN.
  @Attribute var weight = 0.0
  @ToOne(inverse: \Ticket.children) var parent: Ticket?
  @ToMany(deleteRule: .cascade) var children: RelatedObjects<Ticket>
  @ToMany var blockers: RelatedObjects<Ticket>
  @ToMany(inverse: \Ticket.blockers) var blocked: RelatedObjects<Ticket>
  @ToOne var successor: Ticket?
  @ToOne(inverse: \Ticket.successor) var predecessor: Ticket?
  @ToOne var board: Board?
}

final class Board: ManagedObject {
  @ToMany(inverse: \Ticket.board, ordered: true) var tickets: RelatedObjects<Ticket>
  @ToMany(inverse: \Marker.boards, ordered: true) var markers: RelatedObjects<Marker>
}

final class Marker: ManagedObject {
  @ToMany var boards: RelatedObjects<Board>
}
