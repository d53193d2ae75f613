import ExampleSupport
import Foundation
import Persistence

/// The fetched photos, with their photographers and regions.
struct PhotoLibrary: Sendable {
  /// The maximum number of listed regions.
  static let listedRegions = 50

  private let context: ObjectContext

  /// - Throws: `PersistenceError` if the store cannot be opened.
  init(store: URL, configure: @Sendable (inout StoreConfiguration) -> Void = { _ in }) async throws {
    context = try await PersistentContainer(
      at: .file(store), schema: Schema(Photo.self, Photographer.self, Place.self, Region.self), configure: configure
    ).newContext()
  }

  /// Returns the photos, newest first, and the number of photos that are waiting for the region of their place.
  ///
  /// Waiting photos belong to no region yet, not even to ``RegionRow/unknown``.
  ///
  /// - Parameters:
  ///   - region: The region of the photos, ignoring case and accents, or ``RegionRow/unknown`` for photos without a
  ///     region.
  ///   - photographer: The name of the photographers.
  func photos(region: String? = nil, photographer: String? = nil) async throws -> (shown: [PhotoRow], waiting: Int) {
    try await context.perform { objects in
      var shown = Self.shown
      var waiting: Query<Photo> = region == nil ? !Self.shown : .none
      if let region {
        shown = RegionRow.isUnknown(region) ? Self.withoutRegion : Query { $0.region.name.folded == region }
      }
      if let photographer {
        let isTheirs = Query<Photo> { $0.photographer.name.folded == photographer }
        (shown, waiting) = (shown && isTheirs, waiting && isTheirs)
      }
      let request = FetchDescriptor(matching: shown, sort: [.descending(\.uploaded), .ascending(\.photoID)])
        .prefetching(\.photographer).prefetching(\.region)
      return (try objects.fetch(request).map(PhotoRow.init), try objects.count(Photo.self, matching: waiting))
    }
  }

  /// Returns the photographers of the shown photos, by name.
  func photographers() async throws -> [PhotographerRow] {
    try await context.perform { objects in
      let request = FetchDescriptor(matching: Self.shown, sort: [.ascending(\.photoID)]).prefetching(\.photographer)
      var counts: [String: Int] = [:]
      for photo in try objects.fetch(request) { counts[photo.photographer?.ownerID ?? "", default: 0] += 1 }
      return try objects.fetch(FetchDescriptor(Photographer.self, sort: [.ascending(\.name), .ascending(\.ownerID)]))
        .compactMap { photographer in
          counts[photographer.ownerID].map {
            PhotographerRow(id: photographer.ownerID, name: photographer.name, photos: $0)
          }
        }
    }
  }

  /// Returns the most popular regions. Regions of equal popularity are sorted by name. Photos without a region count as
  /// one more region.
  func regions() async throws -> [RegionRow] {
    try await context.perform { objects in
      let request = FetchDescriptor(
        Region.self, where: { $0.popularity > 0 }, sort: [.descending(\.popularity), .ascending(\.name)],
        limit: Self.listedRegions)
      var rows = try objects.fetch(request).map {
        RegionRow(name: $0.name, popularity: $0.popularity, photos: $0.photos.count)
      }
      let others = try objects.fetch(FetchDescriptor(matching: Self.withoutRegion).prefetching(\.photographer))
      guard !others.isEmpty else { return rows }
      let photographers = Set(others.compactMap { $0.photographer?.id }).count
      let row = RegionRow(name: RegionRow.unknown, popularity: photographers, photos: others.count)
      let place = rows.firstIndex { ($0.popularity, row.name) < (row.popularity, $0.name) }
      rows.insert(row, at: place ?? rows.endIndex)
      return rows
    }
  }

  /// All photos except those that wait for the region of their place.
  private static var shown: Query<Photo> { Query { $0.region != nil || withoutRegion } }
  private static var withoutRegion: Query<Photo> { Query { $0.place == nil || $0.place.isUnknown } }

  /// Stores photos, all or none.
  func store(_ photos: [PhotoFacts]) async throws -> PhotoBatch.Outcome {
    try await context.persist { objects in
      let outcome = try PhotoBatch(photos: photos).store(in: objects)
      try Self.countPhotographers(in: objects)
      return outcome
    }
  }

  /// Returns the places with unknown regions: places for which Flickr has not responded yet, and places that it did not
  /// know but may know later.
  func placesWithoutRegion() async throws -> [String] {
    try await context.perform { objects in
      try objects.fetch(Place.self, where: { $0.region == nil && !$0.photos.isEmpty }, sort: [.ascending(\.placeID)])
        .map(\.placeID)
    }
  }

  /// Stores Flickr's answers about places. From then on, the photos of these places are shown.
  ///
  /// - Parameter names: The name of each place's region by the place's id, or nil if Flickr does not know the region.
  func setRegions(_ names: [String: String?]) async throws {
    try await context.persist { objects in
      var regions = Dictionary(
        try objects.fetch(Region.self, where: { $0.name.isIn(Set(names.values.compactMap(\.self))) }).map {
          ($0.name, $0)
        }
      ) { first, _ in first }
      let request = FetchDescriptor(Place.self, where: { $0.placeID.isIn(names.keys) }).prefetching(\.photos)
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

  /// Removes the photos that were uploaded before a date, and photographers without photos.
  ///
  /// - Returns: How many photos were removed, and how many are left.
  func prune(before date: Date) async throws -> (removed: Int, left: Int) {
    try await context.persist { objects in
      let old = try objects.fetch(Photo.self, where: { $0.uploaded < date })
      for photo in old { objects.delete(photo) }
      for photographer in try objects.fetch(Photographer.self, where: { $0.photos.isEmpty }) {
        objects.delete(photographer)
      }
      try Self.countPhotographers(in: objects)
      return (old.count, try objects.count(Photo.self))
    }
  }

  private static func countPhotographers(in objects: ObjectSpace) throws {
    let request = FetchDescriptor(Region.self).prefetching(\.photos)
    for region in try objects.fetch(request) {
      let count = Set(region.photos.compactMap { $0.photographer?.id }).count
      if region.popularity != count { region.popularity = count }
    }
  }
}
