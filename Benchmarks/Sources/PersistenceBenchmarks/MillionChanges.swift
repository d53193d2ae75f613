import BenchmarkSupport
import Persistence
import PersistenceModel
import RawSQLite

extension Benchmark {
  /// A million rows with four indexes and a foreign key written, and half of them deleted with one object.
  static var millionChanges: [Benchmark] { [insertTracks, deleteArtist] }

  /// Ten commits into a new file.
  private static var insertTracks: Benchmark {
    Benchmark(
      "a million tracks: inserted in ten commits", unit: "ms", atMost: 3,
      ours: {
        let workspace = try Workspace()
        let url = workspace.url("ours.store")
        let container = try await PersistentContainer(at: .file(url), schema: Schema(Artist.self, Track.self))
        let context = container.newContext()
        let time = try await asyncMilliseconds {
          for commit in 0..<SampleTracks.commits {
            try await context.persist { SampleTracks.insert(commit: commit, into: $0) }
          }
        }
        try await expect(SampleTracks.count, in: context)
        await container.close()
        return withExtendedLifetime(workspace) { time }
      },
      peers: [
        Peer("raw", must: 0.8, goal: 1) {
          let workspace = try Workspace()
          let store = try RawStore(path: workspace.path("raw.db"))
          try store.createTracks()
          let time = try milliseconds {
            for commit in 0..<SampleTracks.commits { try SampleTracks.insert(commit: commit, into: store) }
          }
          try expect(SampleTracks.count, in: store)
          store.close()
          return withExtendedLifetime(workspace) { time }
        }
      ])
  }

  /// One object with half a million members, which go with it.
  private static var deleteArtist: Benchmark {
    Benchmark(
      "500 000 tracks deleted with their album", unit: "ms", atMost: 1,
      ours: {
        let workspace = try Workspace()
        let url = workspace.url("ours.store")
        let container = try await PersistentContainer(at: .file(url), schema: Schema(Album.self, AlbumTrack.self))
        let context = container.newContext()
        try await context.persist { objects in
          let album = objects.insert(Album.self)
          for index in 0..<SampleTracks.members {
            let track = objects.insert(AlbumTrack.self)
            track.title = SampleTracks.raw(index).1
            track.album = album
          }
        }
        let time = try await asyncMilliseconds {
          try await context.persist { objects in
            if let album = try objects.first(Album.self) { objects.delete(album) }
          }
        }
        guard try await context.perform({ try $0.count(AlbumTrack.self) }) == 0 else {
          throw WrongResult("rows are left")
        }
        await container.close()
        return withExtendedLifetime(workspace) { time }
      },
      peers: [
        Peer("raw, ON DELETE CASCADE", must: 0.5, goal: 0.8) {
          let workspace = try Workspace()
          let store = try RawStore(path: workspace.path("raw.db"))
          try store.createAlbum(of: SampleTracks.members) { SampleTracks.raw($0).1 }
          let time = try milliseconds { try store.deleteAlbum() }
          guard try store.count(of: "albumTrack") == 0 else { throw WrongResult("rows are left") }
          store.close()
          return withExtendedLifetime(workspace) { time }
        }
      ])
  }

  private static func expect(_ count: Int, in context: ObjectContext) async throws {
    let found = try await context.perform { try $0.count(Track.self) }
    guard found == count else { throw WrongResult("\(found) of \(count) rows") }
  }

  private static func expect(_ count: Int, in store: RawStore) throws {
    let found = try store.count(of: "track")
    guard found == count else { throw WrongResult("\(found) of \(count) rows") }
  }
}
