/// What citm_catalog.json holds: very many small objects of integers.
struct Catalog: Codable, Equatable {
  var areaNames: [String: String]
  var events: [String: Event]
  var performances: [Performance]
  var seatCategoryNames: [String: String]
  var subTopicNames: [String: String]
  var topicNames: [String: String]
  var topicSubTopics: [String: [Int]]
  var venueNames: [String: String]

  struct Event: Codable, Equatable {
    var id: Int
    var name: String
    var description: String?
    var logo: String?
    var subTopicIds: [Int]
    var topicIds: [Int]
  }

  struct Performance: Codable, Equatable {
    var eventId: Int
    var id: Int
    var logo: String?
    var name: String?
    var prices: [Price]
    var seatCategories: [SeatCategory]
    var start: Int
    var venueCode: String
  }

  struct Price: Codable, Equatable {
    var amount: Int
    var audienceSubCategoryId: Int
    var seatCategoryId: Int
  }

  struct SeatCategory: Codable, Equatable {
    var areas: [Area]
    var seatCategoryId: Int
  }

  struct Area: Codable, Equatable {
    var areaId: Int
    var blockIds: [Int]
  }

  /// For documents of its own where there is no recorded one.
  static let sample = Catalog(
    areaNames: ["205705993": "Arrière-scène central", "205705994": "1er balcon central"],
    events: Dictionary(
      uniqueKeysWithValues: (0..<184).map { index in
        let id = 138_586_341 + index
        let event = Event(
          id: id, name: "30th Anniversary Tour \(index)", description: nil, logo: nil,
          subTopicIds: [337_184_269, 337_184_283], topicIds: [324_846_099, 107_888_604])
        return ("\(id)", event)
      }),
    performances: (0..<243).map { index in
      Performance(
        eventId: 138_586_341 + index, id: 339_887_544 + index, logo: nil, name: nil,
        prices: (0..<4).map {
          Price(amount: 90_250 - $0 * 1000, audienceSubCategoryId: 337_100_890, seatCategoryId: 338_937_295 + $0)
        },
        seatCategories: (0..<5).map { category in
          let areas = (0..<7).map { Area(areaId: 205_705_999 + $0, blockIds: []) }
          return SeatCategory(areas: areas, seatCategoryId: 338_937_295 + category)
        },
        start: 1_372_701_600_000 + index, venueCode: "PLEYEL_PLEYEL")
    },
    seatCategoryNames: ["338937235": "1ère catégorie"], subTopicNames: ["337184262": "Musique amplifiée"],
    topicNames: ["107888604": "Activité"], topicSubTopics: ["107888604": [337_184_283, 337_184_263]],
    venueNames: ["PLEYEL_PLEYEL": "Salle Pleyel"])
}
