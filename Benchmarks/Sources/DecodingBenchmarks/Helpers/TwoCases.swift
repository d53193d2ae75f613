import Decoding

/// Values of two types, told apart by a member: by a discriminator and by hand.
enum TwoCases {
  struct Movie: Codable, Equatable {
    var title: String
    var year: Int
  }
  struct Photo: Codable, Equatable {
    var url: String
    var width: Int
  }

  enum Discriminated: Codable, Equatable {
    case movie(Movie), photo(Photo)

    static let byType = Discriminator<Discriminated>(
      "type", cases: ["movie": .case(Discriminated.movie), "photo": .case(Discriminated.photo)],
      payload: {
        switch $0 {
        case .movie(let movie): movie
        case .photo(let photo): photo
        }
      })

    init(from decoder: any Decoder) throws { self = try decoder.nested().decode(at: "$", by: Self.byType) }
    func encode(to encoder: any Encoder) throws { try encoder.nested().encode(self, at: "$", by: Self.byType) }

    static let many = (0..<10_000).map { index in
      index.isMultiple(of: 2)
        ? Discriminated.movie(Movie(title: "title \(index)", year: index))
        : .photo(Photo(url: "u\(index)", width: index))
    }
  }

  enum ByHand: Codable {
    case movie(Movie), photo(Photo)

    enum Key: String, CodingKey { case type }

    init(from decoder: any Decoder) throws {
      let object = try decoder.container(keyedBy: Key.self)
      switch try object.decode(String.self, forKey: .type) {
      case "movie": self = .movie(try Movie(from: decoder))
      case "photo": self = .photo(try Photo(from: decoder))
      default: throw DecodingError.dataCorruptedError(forKey: .type, in: object, debugDescription: "unknown")
      }
    }

    func encode(to encoder: any Encoder) throws {
      var object = encoder.container(keyedBy: Key.self)
      switch self {
      case .movie(let movie):
        try object.encode("movie", forKey: .type)
        try movie.encode(to: encoder)
      case .photo(let photo):
        try object.encode("photo", forKey: .type)
        try photo.encode(to: encoder)
      }
    }
  }
}
