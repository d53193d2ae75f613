import ExampleSupport
import Foundation

extension Flickr {
  static let photos = Command(
    "photos", "", "Lists the photos, newest first",
    options: [
      CommandOption("region R", "only photos from this region; use unknown for photos without a region"),
      CommandOption("photographer P", "only photos by this photographer"),
    ],
    json: #"[{"id","title","owner","latitude","longitude","region","uploaded"}]"#
  ) { call in
    let library = try await PhotoLibrary(store: try call.store(mustExist: true))
    let (region, photographer) = (try call.text("region"), try call.text("photographer"))
    let photos = try await library.photos(region: region, photographer: photographer)
    if photos.shown.isEmpty {
      let isAll = region == nil && photographer == nil
      call.console.say(
        photos.waiting > 0
          ? "No photos to show yet"
          : isAll ? "No photos. Run Flickr fetch first" : "No matching photos; run regions or photographers to see all")
    }
    call.console.say(
      TextTable(
        ["Title", "Photographer", "Region", .whole("Uploaded")],
        photos.shown.map { [$0.shownTitle, $0.owner, $0.shownRegion, $0.shownDate] }))
    if photos.waiting > 0 {
      let wait = photos.waiting == 1 ? "1 photo is hidden until its" : "\(photos.waiting) photos are hidden until their"
      call.console.note("\(wait) region is known")
    }
    try call.console.result(photos.shown)
  }

  static let photographers = Command(
    "photographers", "", "Lists the photographers by name", json: #"[{"id","name","photos":n}]"#
  ) { call in
    let rows = try await PhotoLibrary(store: try call.store(mustExist: true)).photographers()
    call.console.say(
      TextTable(
        ["Photographer", .whole("Photos"), .whole("Id")], rows.map { [$0.name, "\($0.photos)", $0.id] }))
    try call.console.result(rows)
  }

  static let regions = Command(
    "regions", "", "Lists the regions, those with the most photographers first; ties are sorted by name",
    json: #"[{"name","popularity":n,"photos":n}]"#
  ) { call in
    let rows = try await PhotoLibrary(store: try call.store(mustExist: true)).regions()
    call.console.say(TextTable(regions: rows))
    try call.console.result(rows)
  }

  static let prune = Command(
    "prune", "", "Removes old photos, and photographers without photos",
    options: [CommandOption("older-than DAYS", "the minimum age; fractions are allowed", required: true)],
    json: #"{"removed":n,"left":n}"#
  ) { call in
    guard let days = try call.amount("older-than") else { return }
    let library = try await PhotoLibrary(store: try call.store(mustExist: true))
    let outcome = try await library.prune(before: Date(timeIntervalSinceNow: -days * 24 * 60 * 60))
    call.console.say("Removed: \(outcome.removed.counted("photo")). Left: \(outcome.left).")
    try call.console.result(["removed": outcome.removed, "left": outcome.left])
  }
}

extension TextTable {
  init(regions: [RegionRow]) {
    self.init(
      ["Region", .whole("Photographers"), .whole("Photos")],
      regions.map { [$0.name, "\($0.popularity)", "\($0.photos)"] })
  }
}
