import Foundation

/// The documents that are decoded: recorded ones where they are at hand, generated ones of the same shape elsewhere.
enum Documents {
  static let twitter = recorded("bench/twitter.json") ?? encoded(Timeline.sample)
  static let catalog = recorded("bench/citm_catalog.json") ?? encoded(Catalog.sample)
  static let map = recorded("bench/canada.json") ?? encoded(Map.sample)
  static let photos = PhotoPage.document()
  static let reorderedPhotos = PhotoPage.document(order: (0..<12).map { $0 * 5 % 12 })
  static let person = Data(
    """
    {"id":1234567,"name":"Grace Hopper","email":"grace@example.com","active":true,"score":98.25,"tags":["navy","cobol",\
    "compiler"],"address":{"street":"12 Harbor Rd","city":"Arlington","zip":"22201"},"note":"a field that nobody reads",\
    "version":3}
    """.utf8)
  static let books = recorded("googlebooks/search-ruby-5.json") ?? Volume.page

  static var origin: String { recorded("bench/twitter.json") == nil ? "generated" : "recorded and generated" }

  static let count = 100_000
  static let integers = encoded((0..<count).map { $0 &* 2_654_435_761 % 1_000_003 - 200_000 })
  static let doubles = encoded((0..<count).map { Double($0 &* 2_654_435_761 % 10_000_019) / 997 })
  static let shortDoubles = encoded((0..<count).map { Double($0 &* 2_654_435_761 % 1_000_003) / 100 })
  static let strings = encoded((0..<count).map { "item number \($0) of a list" })
  static let dictionary = Data(
    "{\((0..<count).map { #""some key \#($0)":\#($0)"# }.joined(separator: ","))}".utf8)
  static let manyKeys = Data(
    "{\((0..<ManyKeys.count).map { #""some key \#($0)":\#($0)"# }.joined(separator: ","))}".utf8)

  /// A file of the folder that `LARDER_FIXTURES` names, by default `shared/fixtures` beside the package.
  private static func recorded(_ name: String) -> Data? {
    let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let folder =
      ProcessInfo.processInfo.environment["LARDER_FIXTURES"].map { URL(filePath: $0) }
      ?? package.deletingLastPathComponent().appending(path: "shared/fixtures")
    // Not there is an answer, and what is said of the documents tells it.
    return try? Data(contentsOf: folder.appending(path: name))
  }

  private static func encoded(_ value: some Encodable) -> Data {
    do {
      return try JSONEncoder().encode(value)
    } catch {
      fatalError("a sample cannot be encoded: \(error)")
    }
  }
}
