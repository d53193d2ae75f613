import Persistence

/// Photos that are stored together, with as many queries for five hundred as for one.
struct PhotoBatch {
  let photos: [PhotoFacts]

  /// How many photos were new, and how many had changed.
  struct Outcome: Equatable, Sendable {
    var new = 0
    var updated = 0
  }

  /// Four queries: for the photos, their photographers and their places that are known already, and for the regions of
  /// those places.
  func store(in objects: ObjectSpace) throws -> Outcome {
    var known = Dictionary(
      try objects.fetch(Photo.self, where: .isIn(\.photoID, photos.map(\.id))).map { ($0.photoID, $0) }
    ) { first, _ in first }
    var photographers = Dictionary(
      try objects.fetch(Photographer.self, where: .isIn(\.ownerID, Set(photos.map(\.ownerID)))).map { ($0.ownerID, $0) }
    ) { first, _ in first }
    let ids = Set(photos.compactMap(\.placeID))
    var places = Dictionary(
      try objects.fetch(FetchRequest(where: .isIn(\Place.placeID, ids)).prefetching(\.region)).map { ($0.placeID, $0) }
    ) { first, _ in first }

    var outcome = Outcome()
    for facts in photos {
      let photographer = photographers[facts.ownerID] ?? objects.insert(Photographer.self)
      photographers[facts.ownerID] = photographer
      photographer.ownerID = facts.ownerID
      photographer.name = facts.ownerName ?? facts.ownerID

      let place = facts.placeID.map { id in
        let place = places[id] ?? objects.insert(Place.self)
        places[id] = place
        place.placeID = id
        return place
      }

      if let photo = known[facts.id] {
        if facts.isNews(of: photo) { outcome.updated += 1 }
        facts.write(to: photo)
      } else {
        let photo = objects.insert(Photo.self)
        known[facts.id] = photo
        photo.photoID = facts.id
        facts.write(to: photo)
        outcome.new += 1
        photo.photographer = photographer
        photo.place = place
        photo.region = place?.region
      }
    }
    return outcome
  }
}

extension PhotoFacts {
  fileprivate func isNews(of photo: Photo) -> Bool {
    photo.title != title || photo.secret != secret || photo.server != server || photo.uploaded != uploaded
      || photo.latitude != position?.latitude || photo.longitude != position?.longitude
  }

  fileprivate func write(to photo: Photo) {
    photo.secret = secret
    photo.server = server
    photo.title = title
    photo.uploaded = uploaded
    photo.latitude = position?.latitude
    photo.longitude = position?.longitude
  }
}
