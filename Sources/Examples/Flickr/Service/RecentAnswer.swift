import Decoding
import ExampleSupport
import Foundation

/// A page of photos, read from the downloaded file.
struct RecentAnswer {
  let photos: [PhotoFacts]
  /// The number of photos, including duplicates and photos that could not be read.
  let count: Int
  /// The photos that could not be read.
  let drops: [DroppedElement]

  /// - Throws: `FlickrFailure`, `Failure` or `LocatedDecodingError` if the data is not a page of photos.
  init(_ data: Data) throws {
    try FlickrFailure.check(data)
    let page = try JSONDecoder().decode(Page.self, from: data, at: "$")
    if page.photos.values.isEmpty, let drop = page.photos.drops.first { throw drop.failure }
    var ids: Set<String> = []
    photos = page.photos.values.filter { ids.insert($0.id).inserted }
    drops = page.photos.drops
    count = page.photos.values.count + drops.count
  }

  private struct Page: Decodable {
    let photos: Lossy<PhotoFacts>

    init(from decoder: any Decoder) throws {
      photos = try decoder.nested().decodeLossy(PhotoFacts.self, at: "photos.photo")
    }
  }
}
