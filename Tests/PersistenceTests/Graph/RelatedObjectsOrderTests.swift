import Foundation
import LarderTestSupport
import Testing

@testable import Persistence

private final class Track: ManagedObject {
  @Attribute var name = ""
  @ToMany(inverse: \Mixtape.tracks) var playlists: RelatedObjects<Mixtape>
  @ToOne var album: Album?
}

private final class Mixtape: ManagedObject {
  @ToMany(ordered: true) var tracks: RelatedObjects<Track>
}

private final class Album: ManagedObject {
  @ToMany(inverse: \Track.album, ordered: true) var tracks: RelatedObjects<Track>
}

/// Replacing, moving and exchanging the members of relationships.
@Suite struct RelatedObjectsOrderTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  private func open() async throws -> PersistentContainer {
    try await store.open(Track.self, Mixtape.self, Album.self)
  }

  private func names(_ tracks: RelatedObjects<Track>) -> String { tracks.map(\.name).joined() }

  private func tracks(_ names: String, _ objects: ObjectSpace) -> [Track] {
    names.map { name in
      let track = objects.insert(Track.self)
      track.name = String(name)
      return track
    }
  }

  @Test func `replacing members keeps both sides, and the order is that of the list`() async throws {
    let context = try await open().newContext()
    let id = try await context.persist { objects in
      let (list, album, all) = (objects.insert(Mixtape.self), objects.insert(Album.self), tracks("abc", objects))
      list.tracks = [all[0], all[1]]
      list.tracks.replace(with: [all[2], all[1], all[2]])
      album.tracks.replace(with: all.reversed())
      #expect(names(list.tracks) == "cb" && all[0].playlists.isEmpty && Array(all[2].playlists) == [list])
      #expect(names(album.tracks) == "cba" && all.allSatisfy { $0.album === album })
      return list.id
    }
    try await context.persist { objects in
      let list = try objects.object(id)
      #expect(names(list.tracks) == "cb")
      list.tracks.replace(with: [Track]())
      #expect(list.tracks.isEmpty)
      objects.rollback()
      #expect(names(list.tracks) == "cb")
    }
  }

  @Test func `members move to the place before an offset and can be exchanged`() async throws {
    let context = try await open().newContext()
    let id = try await context.persist { objects in
      let list = objects.insert(Mixtape.self)
      list.tracks.replace(with: tracks("abcde", objects))
      return list.id
    }
    try await context.persist { objects in
      let tracks = try objects.object(id).tracks
      tracks.move(fromOffsets: [0, 2], toOffset: 4)
      #expect(names(tracks) == "bdace")
      tracks.move(fromOffsets: [3, 4], toOffset: 0)
      #expect(names(tracks) == "cebda")
      tracks.swapAt(0, 4)
      #expect(names(tracks) == "aebdc")
      // Places that do not exist.
      tracks.swapAt(0, 5)
      tracks.swapAt(-1, 0)
      tracks.move(fromOffsets: [9], toOffset: 0)
      #expect(names(tracks) == "aebdc")
      tracks.move(fromOffsets: [0, 7], toOffset: 99)
      #expect(names(tracks) == "ebdca")
      tracks.move(fromOffsets: [4], toOffset: -3)
      #expect(names(tracks) == "aebdc")
    }
    #expect(try await context.perform { objects in names(try objects.object(id).tracks) } == "aebdc")
  }

  @Test func `relationships without an order ignore moves, and a rollback restores an order`() async throws {
    let context = try await open().newContext()
    let id = try await context.persist { objects in
      let (list, other) = (objects.insert(Mixtape.self), objects.insert(Mixtape.self))
      let all = tracks("abc", objects)
      list.tracks.replace(with: all)
      other.tracks.replace(with: all)
      all[0].playlists.move(fromOffsets: [0], toOffset: 2)
      all[0].playlists.swapAt(0, 1)
      #expect(Array(all[0].playlists) == [list, other])
      return list.id
    }
    try await context.persist { objects in
      let list = try objects.object(id)
      list.tracks.swapAt(0, 2)
      objects.rollback()
      #expect(names(list.tracks) == "abc" && !objects.hasChanges)
    }
  }

  @Test func `moving members of a deleted object is reported like any edit of it`() async throws {
    let context = try await open().newContext()
    await #expect(throws: PersistenceError.self) {
      try await context.persist { objects in
        let list = objects.insert(Mixtape.self)
        list.tracks.replace(with: tracks("ab", objects))
        objects.delete(list)
        list.tracks.swapAt(0, 1)
      }
    }
  }

  @Test func `random moves are those of an array`() async throws {
    var random = SplitMix.printed()
    let context = try await open().newContext()
    let moves = (0..<200).map { _ in
      (IndexSet((0..<3).map { _ in Int.random(in: 0..<8, using: &random) }), Int.random(in: 0...8, using: &random))
    }
    try await context.persist { objects in
      let list = objects.insert(Mixtape.self)
      var expected = tracks("abcdefgh", objects)
      list.tracks.replace(with: expected)
      for (source, destination) in moves {
        list.tracks.move(fromOffsets: source, toOffset: destination)
        let moved = source.map { expected[$0] }
        let before = expected[..<destination].filter { !moved.contains($0) }
        expected = before + moved + expected[destination...].filter { !moved.contains($0) }
        #expect(Array(list.tracks) == expected)
      }
    }
  }
}
