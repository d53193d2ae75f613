import Foundation
import Persistence

/// A photo, without its picture.
final class Photo: ManagedObject {
  @Attribute(.unique) var photoID = ""
  @Attribute var secret = ""
  @Attribute var server = ""
  @Attribute var title = ""
  @Attribute(.indexed) var uploaded: Date?
  @Attribute var latitude: Double?
  @Attribute var longitude: Double?
  @ToOne var photographer: Photographer?
  @ToOne var place: Place?
  /// Nil for a photo without a place, and while the region of its place is not known.
  @ToOne var region: Region?
}

/// A person who takes photos. Two may have the same name.
final class Photographer: ManagedObject {
  @Attribute(.unique) var ownerID = ""
  @Attribute var name = ""
  @ToMany(inverse: \Photo.photographer) var photos: Related<Photo>
}

/// A place as Flickr counts them: many lie in one region.
final class Place: ManagedObject {
  @Attribute(.unique) var placeID = ""
  /// Nil until Flickr has answered, and while it does not know the region.
  @ToOne var region: Region?
  /// Whether Flickr has answered that it does not know the region: then the photos are shown without one.
  @Attribute var isUnknown = false
  @ToMany(inverse: \Photo.place) var photos: Related<Photo>
}

/// A part of a country, or a small country.
final class Region: ManagedObject {
  @Attribute(.unique) var name = ""
  /// How many different photographers took photos here: kept, so that a list need not count.
  @Attribute(.indexed) var popularity = 0
  @ToMany(inverse: \Photo.region) var photos: Related<Photo>
  @ToMany(inverse: \Place.region) var places: Related<Place>
}
