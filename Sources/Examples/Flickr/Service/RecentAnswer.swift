import Decoding
import ExampleSupport
import Foundation

/// A page of photos, read from the file that was downloaded.
struct RecentAnswer {
  let photos: [PhotoFacts]
  /// How many there were, with those that could not be read or stood there twice.
  let count: Int
  /// Why some were left out.
  let drops: [LossyDrop]

  /// - Throws: `FlickrFailure`, `Failure` or `DecodingFailure` for what is no page of photos.
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
