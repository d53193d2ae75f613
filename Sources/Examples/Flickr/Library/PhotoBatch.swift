import Persistence

/// Photos that are stored together. The number of queries is the same for five hundred photos as for one.
struct PhotoBatch {
  let photos: [PhotoFacts]

  /// How many photos are new, and how many have changed.
  struct Outcome: Equatable, Sendable {
    var new = 0
    var updated = 0
  }

  /// Stores the photos with four queries, which fetch the existing photos, photographers and places, and the regions of
  /// those places.
  func store(in objects: ObjectSpace) throws -> Outcome {
    var known = Dictionary(
      try objects.fetch(Photo.self, where: { $0.photoID.isIn(photos.map(\.id)) }).map { ($0.photoID, $0) }
    ) { first, _ in first }
    var photographers = Dictionary(
      try objects.fetch(Photographer.self, where: { $0.ownerID.isIn(Set(photos.map(\.ownerID))) }).map {
        ($0.ownerID, $0)
      }
    ) { first, _ in first }
    let ids = Set(photos.compactMap(\.placeID))
    var places = Dictionary(
      try objects.fetch(FetchDescriptor(Place.self, where: { $0.placeID.isIn(ids) }).prefetching(\.region)).map {
        ($0.placeID, $0)
      }
    ) { first, _ in first }

    var outcome = Outcome()
    for facts in photos {
      let photographer = photographers[facts.ownerID] ?? objects.insert(Photographer.self)
      photographers[facts.ownerID] = photographer
      photographer.ownerID = facts.ownerID
      if let name = facts.ownerName ?? (photographer.name.isEmpty ? facts.ownerID : nil) { photographer.name = name }

      let place = facts.placeID.map { id in
        let place = places[id] ?? objects.insert(Place.self)
        places[id] = place
        place.placeID = id
        return place
      }

      let photo: Photo
      if let stored = known[facts.id] {
        photo = stored
        if facts.write(to: photo) { outcome.updated += 1 }
      } else {
        photo = objects.insert(Photo.self)
        known[facts.id] = photo
        photo.photoID = facts.id
        photo.photographer = photographer
        _ = facts.write(to: photo)
        outcome.new += 1
      }
      if let place {
        (photo.place, photo.region) = (place, place.region)
      } else if facts.place == .hidden {
        // A hidden position also hides the place, unless the same response names it.
        (photo.place, photo.region) = (nil, nil)
      }
    }
    return outcome
  }
}

extension PhotoFacts {
  /// Copies the values from Flickr. A value that is missing there is left unchanged.
  ///
  /// - Returns: Whether anything has changed.
  fileprivate func write(to photo: Photo) -> Bool {
    let texts = [photo.title, photo.secret, photo.server]
    let numbers = (photo.uploaded, photo.latitude, photo.longitude)
    photo.secret = secret
    photo.server = server
    // An empty title is treated as missing. If a photographer removes a title, the old title is kept here.
    if !title.allSatisfy(\.isWhitespace) { photo.title = title }
    photo.uploaded = uploaded ?? photo.uploaded
    switch place {
    case .position(let position): (photo.latitude, photo.longitude) = (position.latitude, position.longitude)
    case .hidden: (photo.latitude, photo.longitude) = (nil, nil)
    case .unsaid: break
    }
    return texts != [photo.title, photo.secret, photo.server]
      || numbers != (photo.uploaded, photo.latitude, photo.longitude)
  }
}
