import Decoding

/// Three values, two of them inside a member: by paths, by containers and as nested structures.
enum ThreePaths {
  struct ByPath: Codable, Equatable {
    var id: Int
    var title: String
    var isbn: String?

    enum CodingKeys: String, NestedCodingKey {
      case id, title = "info.title", isbn = "info.isbn"
    }
  }

  struct ByHand: Codable, Equatable {
    var id: Int
    var title: String
    var isbn: String?

    enum Key: String, CodingKey { case id, info }
    enum InfoKey: String, CodingKey { case title, isbn }

    init(from decoder: any Decoder) throws {
      let object = try decoder.container(keyedBy: Key.self)
      id = try object.decode(Int.self, forKey: .id)
      let info = try object.nestedContainer(keyedBy: InfoKey.self, forKey: .info)
      title = try info.decode(String.self, forKey: .title)
      isbn = try info.decodeIfPresent(String.self, forKey: .isbn)
    }

    func encode(to encoder: any Encoder) throws {
      var object = encoder.container(keyedBy: Key.self)
      try object.encode(id, forKey: .id)
      var info = object.nestedContainer(keyedBy: InfoKey.self, forKey: .info)
      try info.encode(title, forKey: .title)
      try info.encodeIfPresent(isbn, forKey: .isbn)
    }
  }

  struct Nested: Codable, Equatable {
    struct Info: Codable, Equatable {
      var title: String
      var isbn: String?
    }
    var id: Int
    var info: Info

    static let many = (0..<10_000).map { index in
      Nested(id: index, info: Info(title: "title \(index)", isbn: index % 3 == 0 ? nil : "978\(index)"))
    }
  }
}
