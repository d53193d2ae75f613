import ExampleSupport
import Foundation
import Persistence

/// The photos that were fetched, by whom and where they were taken.
struct PhotoLibrary: Sendable {
  /// As many regions as are listed.
  static let listedRegions = 50

  private let context: ObjectContext

  /// - Throws: `PersistenceError` when the store cannot be opened.
  init(store: URL, configure: @Sendable (inout StoreConfiguration) -> Void = { _ in }) async throws {
    context = try await PersistentContainer(
      at: .file(store), schema: Schema(Photo.self, Photographer.self, Place.self, Region.self), configure: configure
    ).newContext()
  }

  /// The photos, the newest first, and how many more wait for Flickr's answer about their place.
  ///
  /// Photos that wait belong to no region yet, not even to ``RegionRow/unknown``.
  ///
  /// - Parameters:
  ///   - region: Only those of this region, however it is written, or ``RegionRow/unknown`` for those without one.
  ///   - photographer: Only those of photographers of this name.
  func photos(region: String? = nil, photographer: String? = nil) async throws -> (shown: [PhotoRow], waiting: Int) {
    try await context.perform { objects in
      var shown = Self.shown
      var waiting: Query<Photo> = region == nil ? !Self.shown : .none
      if let region {
        shown = RegionRow.isUnknown(region) ? Self.withoutRegion : .any(\.region, .folded(\.name, equals: region))
      }
      if let photographer {
        let isTheirs: Query<Photo> = .any(\.photographer, .folded(\.name, equals: photographer))
        (shown, waiting) = (shown && isTheirs, waiting && isTheirs)
      }
      let request = FetchRequest(where: shown, sort: [.descending(\.uploaded), .ascending(\.photoID)])
        .prefetching(\.photographer).prefetching(\.region)
      return (try objects.fetch(request).map(PhotoRow.init), try objects.count(Photo.self, where: waiting))
    }
  }

  /// The photographers whose photos are shown, by name.
  func photographers() async throws -> [PhotographerRow] {
    try await context.perform { objects in
      let request = FetchRequest(where: Self.shown, sort: [.ascending(\.photoID)]).prefetching(\.photographer)
      var counts: [String: Int] = [:]
      for photo in try objects.fetch(request) { counts[photo.photographer?.ownerID ?? "", default: 0] += 1 }
      return try objects.fetch(FetchRequest(Photographer.self, sort: [.ascending(\.name), .ascending(\.ownerID)]))
        .compactMap { photographer in
          counts[photographer.ownerID].map {
            PhotographerRow(id: photographer.ownerID, name: photographer.name, photos: $0)
          }
        }
    }
  }

  /// The most popular regions, and among equals by name; photos without a region count as one region more.
  func regions() async throws -> [RegionRow] {
    try await context.perform { objects in
      let request = FetchRequest(
        where: \Region.popularity > 0, sort: [.descending(\.popularity), .ascending(\.name)], limit: Self.listedRegions)
      var rows = try objects.fetch(request).map {
        RegionRow(name: $0.name, popularity: $0.popularity, photos: $0.photos.count)
      }
      let others = try objects.fetch(FetchRequest(where: Self.withoutRegion).prefetching(\.photographer))
      guard !others.isEmpty else { return rows }
      let photographers = Set(others.compactMap { $0.photographer?.id }).count
      let row = RegionRow(name: RegionRow.unknown, popularity: photographers, photos: others.count)
      let place = rows.firstIndex { ($0.popularity, row.name) < (row.popularity, $0.name) }
      rows.insert(row, at: place ?? rows.endIndex)
      return rows
    }
  }

  /// All photos but those that wait for Flickr's answer about their place.
  private static var shown: Query<Photo> { .any(\.region, .all) || withoutRegion }
  private static var withoutRegion: Query<Photo> { !.any(\.place, .all) || .any(\.place, \.isUnknown == true) }

  /// Stores photos, all or none.
  func store(_ photos: [PhotoFacts]) async throws -> PhotoBatch.Outcome {
    try await context.persist { objects in
      let outcome = try PhotoBatch(photos: photos).store(in: objects)
      try Self.countPhotographers(in: objects)
      return outcome
    }
  }

  /// The places of photos whose region is not known: those about which Flickr has not answered, and those that it did
  /// not know, since it may learn them.
  func placesWithoutRegion() async throws -> [String] {
    try await context.perform { objects in
      try objects.fetch(Place.self, where: !Query<Place>.any(\.region, .all) && .any(\.photos), sort: \.placeID)
        .map(\.placeID)
    }
  }

  /// Keeps what Flickr answered about places; their photos are shown from now on.
  ///
  /// - Parameter names: The name of each place's region, nil where Flickr does not know it, by the place's id.
  func setRegions(_ names: [String: String?]) async throws {
    try await context.persist { objects in
      var regions = Dictionary(
        try objects.fetch(Region.self, where: .isIn(\.name, Set(names.values.compactMap(\.self)))).map { ($0.name, $0) }
      ) { first, _ in first }
      let request = FetchRequest(where: .isIn(\Place.placeID, names.keys)).prefetching(\.photos)
      for place in try objects.fetch(request) {
        let name = names[place.placeID] ?? nil
        if place.isUnknown != (name == nil) { place.isUnknown = name == nil }
        guard let name else { continue }
        let region = regions[name] ?? objects.insert(Region.self)
        regions[name] = region
        region.name = name
        place.region = region
        for photo in place.photos { photo.region = region }
      }
      try Self.countPhotographers(in: objects)
    }
  }

  /// Removes the photos that were uploaded before a date, and photographers who have none left.
  ///
  /// - Returns: How many photos are gone, and how many are left.
  func prune(before date: Date) async throws -> (removed: Int, left: Int) {
    try await context.persist { objects in
      let old = try objects.fetch(Photo.self, where: \.uploaded < date)
      for photo in old { objects.delete(photo) }
      for photographer in try objects.fetch(Photographer.self, where: .none(\.photos)) { objects.delete(photographer) }
      try Self.countPhotographers(in: objects)
      return (old.count, try objects.count(Photo.self))
    }
  }

  private static func countPhotographers(in objects: ObjectSpace) throws {
    let request = FetchRequest(Region.self).prefetching(\.photos)
    for region in try objects.fetch(request) {
      let count = Set(region.photos.compactMap { $0.photographer?.id }).count
      if region.popularity != count { region.popularity = count }
    }
  }
}
