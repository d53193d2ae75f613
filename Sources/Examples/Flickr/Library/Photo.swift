import Foundation
import Persistence

/// A photo without its picture.
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
  /// The region, or nil if the photo has no place or the region of its place is not known yet.
  @ToOne var region: Region?
}

/// A person who takes photos. Two photographers can have the same name.
final class Photographer: ManagedObject {
  @Attribute(.unique) var ownerID = ""
  @Attribute var name = ""
  @ToMany(inverse: \Photo.photographer) var photos: RelatedObjects<Photo>
}

/// A place as identified by Flickr. Many places belong to one region.
final class Place: ManagedObject {
  @Attribute(.unique) var placeID = ""
  /// The region, or nil if Flickr has not returned it yet or does not know it.
  @ToOne var region: Region?
  /// Whether Flickr does not know the region. The photos are then shown without a region.
  @Attribute var isUnknown = false
  @ToMany(inverse: \Photo.place) var photos: RelatedObjects<Photo>
}

/// A part of a country, or a small country.
final class Region: ManagedObject {
  @Attribute(.unique) var name = ""
  /// The number of photographers who took photos here. It is stored, so that a list does not have to count.
  @Attribute(.indexed) var popularity = 0
  @ToMany(inverse: \Photo.region) var photos: RelatedObjects<Photo>
  @ToMany(inverse: \Place.region) var places: RelatedObjects<Place>
}
