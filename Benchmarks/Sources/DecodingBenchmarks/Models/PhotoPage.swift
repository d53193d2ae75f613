// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are the documents' own.

import Foundation

/// A page of photos as a photo service sends it.
struct PhotoPage: Decodable, Equatable {
  var photos: Page
  var stat: String

  struct Page: Decodable, Equatable {
    var page: Int
    var pages: Int
    var perpage: Int
    var total: Int
    var photo: [Photo]
  }

  struct Photo: Decodable, Equatable {
    var id: String
    var owner: String
    var secret: String
    var server: String
    var farm: Int
    var title: String
    var ispublic: Int
    var isfriend: Int
    var isfamily: Int
    var url_m: String?
    var height_m: Int?
    var width_m: Int?
  }

  /// A page of 250 photos, written as the service writes it: members in the order above, slashes escaped.
  ///
  /// - Parameter order: Another order of each photo's twelve members, by their places in that one.
  static func document(order: [Int] = Array(0..<12)) -> Data {
    let photos = (0..<250).map { index in
      let id = 50_000_000_000 + index * 7919
      let members = [
        #""id":"\#(id)""#, #""owner":"\#(12_345_678 + index)@N0\#(index % 9)""#, #""secret":"a1b2c3d4e\#(index % 10)""#,
        #""server":"65535""#, #""farm":66"#, #""title":"Sunset over the \"bay\" café number \#(index)""#,
        #""ispublic":1"#,
        #""isfriend":0"#, #""isfamily":0"#,
        #""url_m":"https:\/\/live.staticflickr.com\/65535\/\#(id)_a1b2c3d4e\#(index % 10).jpg""#, #""height_m":375"#,
        #""width_m":500"#,
      ]
      return "{" + order.map { members[$0] }.joined(separator: ",") + "}"
    }
    let page = #""page":1,"pages":40,"perpage":250,"total":10000,"photo":[\#(photos.joined(separator: ","))]"#
    return Data(#"{"photos":{\#(page)},"stat":"ok"}"#.utf8)
  }
}
