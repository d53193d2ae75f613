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
  /// Nil for a photo without a place, and until Flickr was asked about the place: until then the photo is kept apart.
  @ToOne var region: Region?
}

/// Somebody who takes photos. Two may have the same name.
final class Photographer: ManagedObject {
  @Attribute(.unique) var ownerID = ""
  @Attribute var name = ""
  @ToMany(inverse: \Photo.photographer) var photos: Related<Photo>
}

/// A place as Flickr counts them: many lie in one region.
final class Place: ManagedObject {
  @Attribute(.unique) var placeID = ""
  /// Nil until Flickr was asked.
  @ToOne var region: Region?
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
