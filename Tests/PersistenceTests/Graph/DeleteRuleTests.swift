import Foundation
import Testing

@testable import Persistence

private final class Album: ManagedObject {
  @Attribute var title = ""
  @ToMany(inverse: \Track.album, deleteRule: .cascade, ordered: true) var tracks: RelatedObjects<Track>
  @ToMany(inverse: \Listener.albums, deleteRule: .deny) var listeners: RelatedObjects<Listener>
}

private final class Track: ManagedObject {
  @Attribute var title = ""
  @ToOne var album: Album?
  @ToMany(inverse: \Sheet.track, deleteRule: .cascade) var sheets: RelatedObjects<Sheet>
}

private final class Sheet: ManagedObject {
  @Attribute var number = 0
  @ToOne(deleteRule: .deny) var track: Track?
}

private final class Listener: ManagedObject {
  @ToMany(ordered: true) var albums: RelatedObjects<Album>
}

private final class Link: ManagedObject {
  @ToOne(inverse: \Link.previous, deleteRule: .cascade) var next: Link?
  @ToOne var previous: Link?
}

private final class Fleet: ManagedObject {
  @ToMany(inverse: \Ship.fleet, deleteRule: .cascade) var ships: RelatedObjects<Ship>
}

private final class Ship: ManagedObject {
  @ToOne var fleet: Fleet?
  @ToMany(inverse: \Mast.ship, deleteRule: .cascade) var masts: RelatedObjects<Mast>
  @ToMany(inverse: \Anchor.ship, deleteRule: .cascade) var anchors: RelatedObjects<Anchor>
}

private final class Mast: ManagedObject {
  @ToOne var ship: Ship?
}

private final class Anchor: ManagedObject {
  @ToOne var ship: Ship?
}

@Suite struct DeleteRuleTests {
  private func container() async throws -> PersistentContainer {
    try await PersistentContainer(
      at: .inMemory, schema: Schema(Album.self, Track.self, Sheet.self, Listener.self))
  }

  /// An album of three tracks with two sheets each, and its listener.
  private func fill(_ container: PersistentContainer) async throws -> (ObjectID<Album>, ObjectID<Listener>) {
    try await container.newContext().persist { objects in
      let album = objects.insert(Album.self)
      for title in ["one", "two", "three"] {
        let track = objects.insert(Track.self)
        track.title = title
        album.tracks.insert(track)
        for number in 0..<2 {
          let sheet = objects.insert(Sheet.self)
          sheet.number = number
          sheet.track = track
        }
      }
      let listener = objects.insert(Listener.self)
      listener.albums.insert(album)
      return (album.id, listener.id)
    }
  }

  private func counts(_ container: PersistentContainer) async throws -> [Int] {
    try await container.newContext().perform { objects in
      [try objects.count(Album.self), try objects.count(Track.self), try objects.count(Sheet.self)]
    }
  }

  @Test func `a cascade deletes all dependent objects, and a failing closure restores them`() async throws {
    let container = try await container()
    let (album, listener) = try await fill(container)
    let context = container.newContext()
    await #expect(throws: PersistenceError.self) {
      try await context.persist { objects in
        try objects.object(listener).albums = []
        objects.delete(try objects.object(album))
        #expect(try objects.count(Sheet.self) == 0)
        throw Stop()
      }
    }
    #expect(try await counts(container) == [1, 3, 6])
    try await context.persist { objects in
      try objects.object(listener).albums = []
      objects.delete(try objects.object(album))
    }
    #expect(try await counts(container) == [0, 0, 0])
  }

  @Test func `a deny rule fails the deletion with class and relationship, and deletes nothing`() async throws {
    let container = try await container()
    let (album, _) = try await fill(container)
    await #expect {
      try await container.newContext().persist { objects in objects.delete(try objects.object(album)) }
    } throws: { error in
      guard case .deleteRule(let denial) = error as? PersistenceError else { return false }
      return denial.type == "Album" && denial.id == album.rawValue && denial.relationship == "listeners"
    }
    #expect(try await counts(container) == [1, 3, 6])
  }

  @Test func `a deny rule of a to-one fails the deletion while its target exists`() async throws {
    let container = try await container()
    _ = try await fill(container)
    await #expect {
      try await container.newContext().persist { objects in objects.delete(try objects.fetch(Sheet.self)[0]) }
    } throws: { error in
      guard case .deleteRule(let denial) = error as? PersistenceError else { return false }
      return denial.relationship == "track"
    }
    try await container.newContext().persist { objects in
      let sheet = try objects.fetch(Sheet.self)[0]
      sheet.track = nil
      objects.delete(sheet)
    }
    #expect(try await counts(container) == [1, 3, 5])
  }

  @Test func `one closure may delete an object together with the objects that deny its deletion`() async throws {
    let container = try await container()
    let (album, listener) = try await fill(container)
    try await container.newContext().persist { objects in
      objects.delete(try objects.object(album))
      objects.delete(try objects.object(listener))
    }
    #expect(try await counts(container) == [0, 0, 0])
  }

  /// A family of tickets: a root, two children and a grandchild, each blocked by all others. Fetched one by one, some
  /// of their relationships are in memory, or all.
  @Test(arguments: [false, true], [false, true])
  func `after a cascade within one class no relationship leads to a deleted object`(
    isLoaded: Bool, isOneByOne: Bool
  ) async throws {
    let store = try TemporaryStore()
    let container = try await store.open(Ticket.self, Board.self, Marker.self)
    let ids = try await container.newContext().persist { objects in
      let tickets = (0..<6).map { _ in objects.insert(Ticket.self) }
      let board = objects.insert(Board.self)
      // 0 is above all others, 1 the one to be deleted, 2 and 3 below it, 4 below 3.
      for (child, parent) in [(1, 0), (2, 1), (3, 1), (4, 3), (5, 0)] { tickets[child].parent = tickets[parent] }
      for ticket in tickets {
        ticket.board = board
        for other in tickets where other !== ticket { ticket.blockers.insert(other) }
      }
      return tickets.map(\.id)
    }
    try await container.newContext().persist { objects in
      let tickets = isOneByOne ? try ids.map { try objects.object($0) } : try objects.fetch(Ticket.self)
      if isLoaded { for ticket in tickets { _ = (Array(ticket.children), Array(ticket.blocked), ticket.board) } }
      if isOneByOne { _ = (Array(tickets[4].children), Array(tickets[0].children), Array(tickets[5].blockers)) }
      objects.delete(tickets[1])
      #expect(tickets.map(\.isDeleted) == [false, true, true, true, true, false])
      let left = [tickets[0], tickets[5]]
      #expect(Array(left[0].children) == [left[1]] && left[1].children.isEmpty)
      #expect(Array(left[0].blockers) == [left[1]] && Array(left[0].blocked) == [left[1]])
      #expect(try objects.fetch(Board.self)[0].tickets.map(\.id) == [ids[0], ids[5]])
      #expect(tickets[1].children.isEmpty && tickets[4].parent == nil)
    }
    #expect(try await container.integrityCheck().isIntact)
  }

  @Test func `a cascade of two levels takes one query per thousand owners, not one per owner`() async throws {
    let container = try await container()
    let album = try await container.newContext().persist { objects in
      let album = objects.insert(Album.self)
      for _ in 0..<3000 {
        let track = objects.insert(Track.self)
        track.album = album
        objects.insert(Sheet.self).track = track
      }
      return album.id
    }
    let queries = try await container.newContext().persist { objects in
      let album = try objects.object(album)
      let before = objects.queryCount
      objects.delete(album)
      // Cascaded objects are not changed first. (A sheet is, since its own rule looks for the track.)
      let tracks = try objects.registry(of: Track.self).changes
      #expect(tracks.deleted.count == 3000 && tracks.overwrites.isEmpty && tracks.changed.isEmpty)
      return objects.queryCount - before
    }
    #expect(queries <= 8, "\(queries)")
    #expect(try await counts(container) == [0, 0, 0])
  }

  @Test func `deleting an object removes its members together, not one by one`() async throws {
    let container = try await PersistentContainer(at: .inMemory, schema: Schema(Film.self, Director.self))
    try await container.newContext().persist { objects in
      let director = objects.insert(Director.self)
      for _ in 0..<50 { objects.insert(Film.self).director = director }
    }
    try await container.newContext().persist { objects in
      let director = try objects.fetch(Director.self)[0]
      let films = Array(director.films)
      let registry = try objects.registry(of: Director.self)
      let set = try #require(registry.members(registry.entity.toMany[0], of: director).pointee)
      objects.delete(director)
      #expect(films.allSatisfy { $0.director == nil } && set.objects.count == 50)
    }
  }

  @Test func `a deletion keeps fetched relationships in memory until it has used them`() async throws {
    let container = try await PersistentContainer(
      at: .inMemory, schema: Schema(Fleet.self, Ship.self, Mast.self, Anchor.self))
    let ships = 600
    let id = try await container.newContext().persist { objects in
      let fleet = objects.insert(Fleet.self)
      for _ in 0..<ships {
        let ship = objects.insert(Ship.self)
        ship.fleet = fleet
        objects.insert(Mast.self).ship = ship
        objects.insert(Anchor.self).ship = ship
      }
      return fleet.id
    }
    try await container.newContext().persist { objects in
      let fleet = try objects.object(id)
      let relationship = try objects.registry(of: Fleet.self).entity.toMany[0]
      // Enough that the second relationship of the ships exceeds the limit.
      while objects.loaded.entries.count < LoadedRelationships.limit - ships - 50 {
        objects.loaded.add(relationship, fleet)
      }
      let before = objects.queryCount
      objects.delete(fleet)
      #expect(objects.queryCount - before == 3 && objects.relationshipFetches == [:])
      #expect(try objects.count(Ship.self) + objects.count(Mast.self) + objects.count(Anchor.self) == 0)
    }
  }

  @Test func `a bulk deletion cascades along a class's relationship with itself to any depth`() async throws {
    let container = try await PersistentContainer(at: .inMemory, schema: Schema(Link.self))
    let count = 20_000
    let first = try await container.newContext().persist { objects in
      let links = (0..<count).map { _ in objects.insert(Link.self) }
      for (link, next) in zip(links, links.dropFirst()) { link.next = next }
      // A cycle ends too
      links[count - 1].next = links[0]
      _ = objects.insert(Link.self)
      return links[0].id.rawValue
    }
    try await container.newContext().persist { objects in
      try objects.delete(Link.self, where: { $0.id == ObjectID(rawValue: first) })
      #expect(try objects.count(Link.self) == 1)
    }
  }

  @Test func `a cascade follows a chain of any length`() async throws {
    let container = try await PersistentContainer(at: .inMemory, schema: Schema(Link.self))
    let count = 30_000
    let first = try await container.newContext().persist { objects in
      let first = objects.insert(Link.self)
      var last = first
      for _ in 1..<count {
        let link = objects.insert(Link.self)
        last.next = link
        last = link
      }
      return first.id
    }
    let left = try await container.newContext().persist { objects in
      objects.delete(try objects.object(first))
      return try objects.count(Link.self)
    }
    #expect(left == 0)
  }

  @Test func `an ordered relationship keeps its order`() async throws {
    let container = try await container()
    let (album, _) = try await fill(container)
    func titles() async throws -> [String] {
      try await container.newContext().perform { try $0.object(album).tracks.map(\.title) }
    }
    #expect(try await titles() == ["one", "two", "three"])
    try await container.newContext().persist { objects in
      let tracks = try objects.object(album).tracks
      let all = Array(tracks)
      tracks.insert(all[2], at: 0)
      #expect(tracks.map(\.title) == ["three", "one", "two"])
      #expect(tracks.first?.title == "three")
    }
    #expect(try await titles() == ["three", "one", "two"])
    let first = try await container.newContext().perform { try $0.object(album).tracks.first?.title }
    #expect(first == "three")
    try await container.newContext().persist { objects in
      let object = try objects.object(album)
      object.tracks = RelatedObjects(object.tracks.reversed())
      // A member that is added from the other side is the last
      let late = objects.insert(Track.self)
      late.title = "late"
      late.album = object
    }
    #expect(try await titles() == ["two", "one", "three", "late"])
    // An index beyond the end means the end
    try await container.newContext().persist { objects in
      let tracks = try objects.object(album).tracks
      tracks.insert(Array(tracks)[0], at: 99)
      tracks.insert(Array(tracks)[1], at: -1)
    }
    #expect(try await titles() == ["three", "one", "late", "two"])
  }

  @Test func `assigning a list sets the order, and a repeated member keeps its first place`() async throws {
    let container = try await container()
    let (album, listener) = try await fill(container)
    let other = try await container.newContext().persist { objects in
      let (mine, other) = (try objects.object(album), objects.insert(Album.self))
      other.title = "other"
      let guest = objects.insert(Track.self)
      (guest.title, guest.album) = ("guest", other)
      let tracks = Array(mine.tracks)
      mine.tracks = RelatedObjects([guest, tracks[2], tracks[0], guest, tracks[1]])
      #expect(mine.tracks.map(\.title) == ["guest", "three", "one", "two"] && other.tracks.isEmpty)
      try objects.object(listener).albums = [other, mine]
      return other.id
    }
    try await container.newContext().perform { objects in
      let (album, listener) = (try objects.object(album), try objects.object(listener))
      #expect(album.tracks.map(\.title) == ["guest", "three", "one", "two"])
      #expect(listener.albums.map(\.title) == ["other", ""])
    }
    try await container.newContext().persist { objects in
      let (mine, other) = (try objects.object(album), try objects.object(other))
      other.tracks = RelatedObjects(mine.tracks.dropFirst(2))
      #expect(mine.tracks.map(\.title) == ["guest", "three"])
      mine.tracks = []
      try objects.object(listener).albums = [mine]
      objects.delete(other)
    }
    #expect(try await container.newContext().perform { try $0.object(album).tracks.isEmpty })
    #expect(try await container.integrityCheck().isIntact)
  }

  @Test func `thousands of members inserted one by one at both ends are stored in their order`() async throws {
    let container = try await container()
    let count = 3_000
    let listener = try await container.newContext().persist { objects in
      let listener = objects.insert(Listener.self)
      for number in 0..<count {
        let album = objects.insert(Album.self)
        album.title = "\(number)"
        // Every other one at the front
        if number.isMultiple(of: 2) { listener.albums.insert(album) } else { listener.albums.insert(album, at: 0) }
      }
      return listener.id
    }
    let expected = (0..<count).filter { !$0.isMultiple(of: 2) }.reversed() + (0..<count).filter { $0.isMultiple(of: 2) }
    let context = container.newContext()
    #expect(try await context.perform { try $0.object(listener).albums.map(\.title) } == expected.map { "\($0)" })
    // An order that was set before a failing closure stays
    try await context.perform { objects in
      let albums = try objects.object(listener).albums
      albums.insert(Array(albums)[count - 1], at: 0)
    }
    await #expect(throws: PersistenceError.self) {
      try await context.persist { objects in
        let albums = try objects.object(listener).albums
        albums.insert(objects.insert(Album.self), at: 0)
        albums.insert(Array(albums)[5], at: 0)
        throw Stop()
      }
    }
    try await context.persist { _ in }
    let first = try await container.newContext().perform { objects in
      try objects.object(listener).albums.prefix(3).map(\.title)
    }
    #expect(first == ["\(count - 2)", "\(count - 1)", "\(count - 3)"])
  }

  @Test func `a pending order survives the end of a closure`() async throws {
    let container = try await container()
    let (album, listener) = try await fill(container)
    let context = container.newContext()
    try await context.perform { objects in
      let other = objects.insert(Album.self)
      other.title = "other"
      try objects.object(listener).albums.insert(other, at: 0)
    }
    let pending = try await context.perform { try $0.object(listener).albums.map(\.title) }
    #expect(pending == ["other", ""])
    try await context.persist { objects in
      #expect(try objects.object(album).listeners.count == 1)
      _ = try objects.count(Album.self)
    }
    let stored = try await container.newContext().perform { try $0.object(listener).albums.map(\.title) }
    #expect(stored == ["other", ""])
  }
}
