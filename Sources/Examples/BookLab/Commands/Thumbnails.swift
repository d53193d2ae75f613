import ExampleSupport
import Foundation

extension BookLab {
  static let thumbnails = Command(
    "thumbnails", "", "Downloads the covers of your books",
    json: #"{"downloaded":n,"present":n,"failed":n,"folder"}"#, asksServer: true
  ) { call in
    let console = call.console
    let desk = try await Desk(call, mustExist: true)
    let books = try await desk.library.books()
    let shelf = try CoverShelf(store: desk.store, access: desk.access)
    let line = ProgressLine("Covers", console)
    let present = books.filter(shelf.hasCover).count
    var downloaded = 0
    let failures = try await shelf.fill(with: books) { done, count, bytes in
      downloaded = done
      line.show(done, of: count, bytes: bytes)
    }
    line.clear()
    downloaded -= failures.count
    for failure in failures { console.warn("No cover for “\(failure.title)”: \(failure.reason)") }
    console.say("New covers: \(downloaded), already present: \(present), in \(shelf.folder.path)")
    try console.result(
      Summary(downloaded: downloaded, present: present, failed: failures.count, folder: shelf.folder.path))
    if !failures.isEmpty { throw Failure("\(failures.count.counted("cover")) could not be downloaded") }
  }

  private struct Summary: Encodable {
    let downloaded, present, failed: Int
    let folder: String
  }
}
