public import Foundation
public import Persistence

public final class FamilyMember: ManagedObject {
  @Attribute public var name = ""
}

public final class Movie: ManagedObject {
  @Attribute public var title = ""
  @Attribute public var seconds = 0
}

public var data: Data { fatalError() }
public var url: URL { fatalError() }
