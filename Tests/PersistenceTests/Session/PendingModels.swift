import Foundation
import Persistence

/// Every kind of attribute that has columns of its own, and every kind of relationship.
final class Feature: ManagedObject {
  @Attribute(.folded, .indexed, .searchable) var title = ""
  @Attribute(.searchable) var plot: String?
  @Attribute(.indexed) var year = 0
  @Attribute var rating: Double?
  @Attribute var gross: Decimal = 0
  @Attribute(.unique) var number: Int64?
  @ToOne(inverse: \ReelHouse.reels) var maker: ReelHouse?
  @ToMany(ordered: true) var tags: RelatedObjects<ReelTag>
  @ToOne var sequel: Feature?
  @ToOne(inverse: \Feature.sequel) var prequel: Feature?
}

/// Two classes with pairs that have no order.
final class Guest: ManagedObject {
  @Attribute var visits = 0
  @ToMany var parties: RelatedObjects<Party>
}

final class Party: ManagedObject {
  @ToMany(inverse: \Guest.parties) var guests: RelatedObjects<Guest>
}

final class ReelHouse: ManagedObject {
  @Attribute var name = ""
  @Attribute var average = 0.0
  @Attribute var isRefused = false
  @ToMany(ordered: true) var reels: RelatedObjects<Feature>

  override func validate() throws { if isRefused { throw Stop() } }
}

final class ReelTag: ManagedObject {
  @Attribute(.indexed) var name = ""
  @ToMany(inverse: \Feature.tags) var reels: RelatedObjects<Feature>
}

extension ObjectSpace {
  /// 30 reels in 4 makers with 5 tags.
  func insertReels() {
    let makers = (0..<4).map { number in
      let maker = insert(ReelHouse.self)
      maker.name = "house \(number)"
      return maker
    }
    let tags = (0..<5).map { number in
      let tag = insert(ReelTag.self)
      tag.name = "tag \(number)"
      return tag
    }
    for number in 0..<30 {
      let reel = insert(Feature.self)
      reel.title = "Feature É\(number % 7)"
      reel.plot = number % 3 == 0 ? nil : "a plot of \(number % 4) heists"
      reel.year = 1990 + number % 10
      reel.rating = number % 5 == 0 ? nil : Double(number) / 3
      reel.gross = Decimal(number * 7 % 11) / 4
      reel.number = Int64(number)
      if number % 6 != 0 { makers[number % 4].reels.insert(reel, at: 0) }
      reel.tags = RelatedObjects(tags.enumerated().filter { ($0.offset + number) % 3 == 0 }.map(\.element))
    }
  }
}
