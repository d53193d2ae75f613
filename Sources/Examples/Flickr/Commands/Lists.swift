import ExampleSupport
import Foundation

extension Flickr {
  static let photos = Command(
    "photos", "", "Shows the photos whose region is known, the newest first",
    options: [
      CommandOption("region R", "only those taken in this region"),
      CommandOption("photographer P", "only those of this photographer"),
    ],
    json: #"[{"id","title","owner","latitude","longitude","region","uploaded"}]"#
  ) { call in
    let library = try await PhotoLibrary(store: try call.store(mustExist: true))
    let (region, photographer) = (try call.text("region"), try call.text("photographer"))
    let photos = try await library.photos(region: region, photographer: photographer)
    if photos.shown.isEmpty {
      let isAll = region == nil && photographer == nil
      call.console.say(
        isAll ? "No photos. Get some: Flickr fetch" : "No such photos: regions and photographers show all")
    }
    call.console.say(TextTable(photos.shown.map { [$0.shownTitle, $0.owner, $0.region ?? "", $0.shownDate] }))
    if photos.waiting > 0 { call.console.note("\(photos.waiting) more wait until their region is known") }
    try call.console.result(photos.shown)
  }

  static let photographers = Command(
    "photographers", "", "Shows who took the photos, by name", json: #"[{"id","name","photos":n}]"#
  ) { call in
    let rows = try await PhotoLibrary(store: try call.store(mustExist: true)).photographers()
    call.console.say(TextTable(rows.map { [$0.name, "\($0.photos)", $0.id] }))
    try call.console.result(rows)
  }

  static let regions = Command(
    "regions", "", "Shows the regions with the most different photographers, and among equals by name",
    json: #"[{"name","popularity":n,"photos":n}]"#
  ) { call in
    let rows = try await PhotoLibrary(store: try call.store(mustExist: true)).regions()
    call.console.say(TextTable(regions: rows))
    try call.console.result(rows)
  }

  static let prune = Command(
    "prune", "", "Removes photos that were uploaded long ago, and who has none left",
    options: [CommandOption("older-than DAYS", "how long ago; fractions are allowed", required: true)],
    json: #"{"removed":n,"left":n}"#
  ) { call in
    guard let days = try call.amount("older-than") else { return }
    let library = try await PhotoLibrary(store: try call.store(mustExist: true))
    let outcome = try await library.prune(before: Date(timeIntervalSinceNow: -days * 24 * 60 * 60))
    call.console.say("\(outcome.removed) photos are gone, \(outcome.left) are left")
    try call.console.result(["removed": outcome.removed, "left": outcome.left])
  }
}

extension TextTable {
  init(regions: [RegionRow]) {
    self.init(
      regions.map { region in
        [
          region.name, "\(region.popularity) photographer\(region.popularity == 1 ? "" : "s")",
          "\(region.photos) in all",
        ]
      })
  }
}
