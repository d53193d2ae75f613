public import Persistence

/// The owner of ten tracks.
public final class Artist: ManagedObject {
  @Attribute(.indexed) public var name = ""
  @ToMany(inverse: \Track.artist) public var tracks: RelatedObjects<Track>
}

/// A class of which there are many: four indexes and a foreign key.
public final class Track: ManagedObject {
  @Attribute(.indexed) public var title = ""
  @Attribute(.indexed) public var score: Int64 = 0
  @Attribute(.indexed) public var day: Int64 = 0
  @Attribute public var kind: Int64 = 0
  @Attribute public var notes = ""
  @ToOne public var artist: Artist?

  public override class var indexes: [AttributeIndex] { [.on(\Track.kind, \Track.day)] }
}

/// The owner of half a million tracks, which go with it.
public final class Album: ManagedObject {
  @Attribute public var name = ""
  @ToMany(inverse: \AlbumTrack.album, deleteRule: .cascade) public var tracks: RelatedObjects<AlbumTrack>
}

/// A track of an album.
public final class AlbumTrack: ManagedObject {
  @Attribute public var title = ""
  @ToOne public var album: Album?
}
