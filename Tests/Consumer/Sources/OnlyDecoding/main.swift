import Decoding
import Foundation

struct Book: Decodable {
  let title: String

  init(from decoder: any Decoder) throws {
    title = try decoder.nested().decode(at: "volumeInfo.title")
  }
}

let data = Data(#"{"items": [{"volumeInfo": {"title": "Dune"}}]}"#.utf8)
print(try JSONDecoder().decode([Book].self, from: data, at: "items")[0].title)
do {
  _ = try JSONBytesDecoder().decode([Book].self, from: data, at: "items[0]")
} catch {
  print(error)
}
