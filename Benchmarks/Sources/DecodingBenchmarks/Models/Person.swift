/// A small object with one inside and one list.
struct Person: Decodable, Equatable {
  var id: Int
  var name: String
  var email: String
  var active: Bool
  var score: Double
  var tags: [String]
  var address: Address

  struct Address: Decodable, Equatable {
    var street: String
    var city: String
    var zip: String
  }
}

/// The same object, but for its last field: a number is expected where a text is.
struct PersonOfWrongType: Decodable {
  var id: Int
  var name: String
  var email: String
  var active: Bool
  var score: Double
  var tags: [String]
  var address: Address

  struct Address: Decodable {
    var street: String
    var city: String
    var zip: Int
  }
}

/// The same object, but for a field that it has not.
struct PersonOfWrongName: Decodable {
  var id: Int
  var name: String
  var email: String
  var active: Bool
  var score: Double
  var tags: [String]
  var address: Address

  struct Address: Decodable {
    var street: String
    var city: String
    var postcode: String
  }
}
