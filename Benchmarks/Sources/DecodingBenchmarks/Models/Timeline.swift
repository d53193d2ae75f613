// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are the documents' own.

/// What twitter.json holds: a hundred messages with their authors, of which half is decoded.
struct Timeline: Codable, Equatable {
  var statuses: [Status]
  var search_metadata: Metadata

  struct Metadata: Codable, Equatable {
    var completed_in: Double
    var max_id: Int
    var count: Int
    var next_results: String
    var query: String
  }

  struct Status: Codable, Equatable {
    var created_at: String
    var id: Int
    var id_str: String
    var text: String
    var truncated: Bool
    var in_reply_to_user_id: Int?
    var in_reply_to_screen_name: String?
    var user: User
    var retweet_count: Int
    var favorite_count: Int
    var entities: Entities
    var lang: String
  }

  struct User: Codable, Equatable {
    var id: Int
    var name: String
    var screen_name: String
    var location: String
    var description: String
    var url: String?
    var followers_count: Int
    var friends_count: Int
    var created_at: String
    var verified: Bool
    var statuses_count: Int
    var profile_image_url_https: String
  }

  struct Entities: Codable, Equatable {
    var hashtags: [Hashtag]
    var urls: [Link]
    var user_mentions: [Mention]
  }

  struct Hashtag: Codable, Equatable {
    var text: String
    var indices: [Int]
  }

  struct Link: Codable, Equatable {
    var url: String
    var expanded_url: String
    var display_url: String
    var indices: [Int]
  }

  struct Mention: Codable, Equatable {
    var screen_name: String
    var name: String
    var id: Int
    var indices: [Int]
  }

  /// For documents of its own where there is no recorded one.
  static let sample = Timeline(
    statuses: (0..<1000).map { index in
      Status(
        created_at: "Sun Aug 31 00:29:15 +0000 2014", id: 505_874_924_095_815_681 + index,
        id_str: "\(505_874_924_095_815_681 + index)",
        text: "@aym0566x \n\nこれはサンプルの文章です、番号は\(index)です。\nhttp://t.co/\(index)", truncated: false,
        in_reply_to_user_id: index % 3 == 0 ? 866_260_188 : nil, in_reply_to_screen_name: index % 3 == 0 ? "aym" : nil,
        user: User(
          id: 1_186_275_104 + index, name: "AYUMI \(index)", screen_name: "ayuu\(index)", location: "東京",
          description: "元野球部マネージャー❤︎…最高の夏をありがとう…❤︎", url: nil, followers_count: 262, friends_count: 252,
          created_at: "Sat Feb 16 13:40:25 +0000 2013", verified: false, statuses_count: 1769,
          profile_image_url_https: "https://pbs.twimg.com/profile_images/497760886795153410/LDjAwR_y_normal.jpeg"),
        retweet_count: index % 7, favorite_count: 0,
        entities: Entities(
          hashtags: [Hashtag(text: "sample", indices: [12, 19])], urls: [],
          user_mentions: [Mention(screen_name: "aym0566x", name: "前田あゆみ", id: 866_260_188, indices: [0, 9])]),
        lang: "ja")
    },
    search_metadata: Metadata(
      completed_in: 0.087, max_id: 505_874_924_095_815_681, count: 100, next_results: "?max_id=1&q=x", query: "x"))
}

/// One value at the end of the document, by types that name nothing else.
struct TimelineCount: Decodable {
  var search_metadata: Metadata

  struct Metadata: Decodable { var count: Int }
}

/// The author of the first message, as early as nested containers can have it.
struct FirstAuthor: Decodable {
  var user: Timeline.User

  private enum Keys: CodingKey { case statuses, user }

  init(from decoder: any Decoder) throws {
    var statuses = try decoder.container(keyedBy: Keys.self).nestedUnkeyedContainer(forKey: .statuses)
    user = try statuses.nestedContainer(keyedBy: Keys.self).decode(Timeline.User.self, forKey: .user)
  }
}
