public import FetchKit
public import Foundation
public import Persistence

public final class FamilyMember: ManagedObject {
  @Attribute public var name = ""
}

public final class Movie: ManagedObject {
  @Attribute public var title = ""
  @Attribute public var seconds = 0
  @Attribute public var rating: Double?
  @Attribute(.unique) public var remoteID: Int64?
}

public struct MovieFacts: Decodable, Sendable {
  public var id: Int64
  public var title: String
}

public func store(_ facts: [MovieFacts]) async throws {}

public var data: Data { fatalError() }
public var url: URL { fatalError() }
public var client: FetchClient { fatalError() }
public var container: PersistentContainer { fatalError() }
public var context: ObjectContext { fatalError() }
public var version: ResourceVersion? {
  get { fatalError() }
  set {}
}
public var token: HistoryToken {
  get { fatalError() }
  set {}
}
