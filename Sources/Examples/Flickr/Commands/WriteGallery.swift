import ExampleSupport

extension Flickr {
  static let gallery = Command(
    "gallery", "", "Writes a web page with the photos",
    options: [
      CommandOption("out DIR", "the output folder; an existing page is replaced", required: true),
      CommandOption("region R", "only photos from this region"),
      CommandOption(
        "cache-size MB", "the size limit of the picture cache; 20 by default"),
    ],
    json: #"{"page","photos":n,"fetched":n,"cached":n,"failed":n}"#, asksServer: true
  ) { call in
    guard let out = try call.text("out") else { return }
    let limit = Int((try call.amount("cache-size") ?? 20) * 1_000_000)
    let store = try call.store(mustExist: true)
    let access = try call.connect()
    let photos = try await PhotoLibrary(store: store).photos(region: try call.text("region")).shown
    let gallery = try Gallery(out: out, store: store, access: access, cacheLimit: limit)
    let line = ProgressLine("Pictures", call.console)
    defer { line.clear() }
    let report = try await gallery.write(photos) { done in
      line.show(done, of: photos.count)
    }
    line.clear()
    call.console.say(
      "\(report.photos.counted("photo")) on \(report.page), \(report.fetched.counted("picture")) fetched, "
        + "\(report.cached) from the cache")
    try call.console.result(report)
    if let failure = report.failure {
      throw Failure("\(report.failed.counted("picture")) could not be fetched: \(failure)")
    }
  }
}
