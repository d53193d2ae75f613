import ExampleSupport
import Foundation
import Persistence

/// The photos that were fetched, by whom and where they were taken.
struct PhotoLibrary: Sendable {
  /// As many regions as are listed.
  static let listedRegions = 50

  private let context: ObjectContext

  /// - Throws: `PersistenceError` when the store cannot be opened.
  init(store: URL) async throws {
    context = try await PersistentContainer(
      at: .file(store), schema: Schema(Photo.self, Photographer.self, Place.self, Region.self)
    ).newContext()
  }

  /// The photos whose region is known, the newest first, and how many wait for theirs.
  ///
  /// - Parameters:
  ///   - region: Only those of this region, however it is written.
  ///   - photographer: Only those of photographers of this name.
  func photos(region: String? = nil, photographer: String? = nil) async throws -> (shown: [PhotoRow], waiting: Int) {
    try await context.perform { objects in
      var query: Query<Photo> = .any(\.region, .all)
      if let region { query = query && .any(\.region, .folded(\.name, equals: region)) }
      if let photographer { query = query && .any(\.photographer, .folded(\.name, equals: photographer)) }
      let request = FetchRequest(where: query, sort: [.descending(\.uploaded), .ascending(\.photoID)])
        .prefetching(\.photographer).prefetching(\.region)
      let waiting = try objects.count(Photo.self, where: !Query<Photo>.any(\.region, .all))
      return (try objects.fetch(request).map(PhotoRow.init), waiting)
    }
  }

  /// The photographers whose photos are shown, by name.
  func photographers() async throws -> [PhotographerRow] {
    try await context.perform { objects in
      let request = FetchRequest(Photographer.self, sort: [.ascending(\.name), .ascending(\.ownerID)])
        .prefetching(\.photos)
      return try objects.fetch(request).compactMap { photographer in
        let count = photographer.photos.filter { $0.region != nil }.count
        return count == 0 ? nil : PhotographerRow(id: photographer.ownerID, name: photographer.name, photos: count)
      }
    }
  }

  /// The most popular regions, and among equals by name.
  func regions() async throws -> [RegionRow] {
    try await context.perform { objects in
      let request = FetchRequest(
        where: \Region.popularity > 0, sort: [.descending(\.popularity), .ascending(\.name)], limit: Self.listedRegions)
      return try objects.fetch(request).map {
        RegionRow(name: $0.name, popularity: $0.popularity, photos: $0.photos.count)
      }
    }
  }

  /// Stores photos, all or none.
  func store(_ photos: [PhotoFacts]) async throws -> PhotoBatch.Outcome {
    try await context.persist { objects in
      let outcome = try PhotoBatch(photos: photos).store(in: objects)
      try Self.countPhotographers(in: objects)
      return outcome
    }
  }

  /// The places of photos whose region is not known yet.
  func unknownPlaces() async throws -> [String] {
    try await context.perform { objects in
      try objects.fetch(Place.self, where: !Query<Place>.any(\.region, .all) && .any(\.photos), sort: \.placeID)
        .map(\.placeID)
    }
  }

  /// Keeps which region each place lies in; its photos are shown from now on.
  func setRegions(_ names: [String: String]) async throws {
    try await context.persist { objects in
      var regions = Dictionary(
        try objects.fetch(Region.self, where: .isIn(\.name, Set(names.values))).map { ($0.name, $0) }
      ) { first, _ in first }
      let request = FetchRequest(where: .isIn(\Place.placeID, names.keys)).prefetching(\.photos)
      for place in try objects.fetch(request) {
        guard let name = names[place.placeID] else { continue }
        let region = regions[name] ?? objects.insert(Region.self)
        regions[name] = region
        region.name = name
        place.region = region
        for photo in place.photos { photo.region = region }
      }
      try Self.countPhotographers(in: objects)
    }
  }

  /// Removes the photos that were uploaded before a date, and whoever has none left.
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
