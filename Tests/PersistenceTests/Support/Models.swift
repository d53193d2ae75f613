import Foundation
import Persistence

final class FamilyMember: ManagedObject {
  @Attribute var name = ""
  @ToMany(inverse: \Movie.familyMembers) var movies: RelatedObjects<Movie>
}

final class Movie: ManagedObject {
  @Attribute var title = ""
  @Attribute var popularity: Double?
  @Attribute(.unique) var remoteID: Int64?
  @ToMany var familyMembers: RelatedObjects<FamilyMember>
}

final class Director: ManagedObject {
  @Attribute var name = ""
  @ToMany(inverse: \Film.director) var films: RelatedObjects<Film>
}

final class Film: ManagedObject {
  @Attribute var title = ""
  @Attribute(.indexed) var year = 0
  @ToOne var director: Director?
}

enum Kind: String, AttributeValue {
  case film, series
}

enum Level: Int, AttributeValue {
  case low = -1
  case high = 70_000
}

struct Address: CodableAttribute {
  var street = ""
  var numbers: [Int] = []
}

/// One attribute of every type, required and optional.
final class Everything: ManagedObject {
  @Attribute var bool = false
  @Attribute var int = 0
  @Attribute var int8: Int8 = 0
  @Attribute var int16: Int16 = 0
  @Attribute var int32: Int32 = 0
  @Attribute var int64: Int64 = 0
  @Attribute var uint: UInt = 0
  @Attribute var uint8: UInt8 = 0
  @Attribute var uint16: UInt16 = 0
  @Attribute var uint32: UInt32 = 0
  @Attribute var uint64: UInt64 = 0
  @Attribute var double = 0.0
  @Attribute var float: Float = 0
  @Attribute var string = ""
  @Attribute var data = Data()
  @Attribute var date = Date(timeIntervalSinceReferenceDate: 0)
  @Attribute var uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
  @Attribute var url = URL(filePath: "/")
  @Attribute var decimal: Decimal = 0
  @Attribute var kind = Kind.film
  @Attribute var level = Level.low
  @Attribute var address = Address()
  @Attribute var maybeBool: Bool?
  @Attribute var maybeInt: Int?
  @Attribute var maybeInt8: Int8?
  @Attribute var maybeInt64: Int64?
  @Attribute var maybeUInt64: UInt64?
  @Attribute var maybeDouble: Double?
  @Attribute var maybeFloat: Float?
  @Attribute var maybeString: String?
  @Attribute var maybeData: Data?
  @Attribute var maybeDate: Date?
  @Attribute var maybeUUID: UUID?
  @Attribute var maybeURL: URL?
  @Attribute var maybeDecimal: Decimal?
  @Attribute var maybeKind: Kind?
  @Attribute var maybeAddress: Address?
}
