public import Persistence

/// The movie with a unique attribute, for imports.
public final class CatalogMovie: ManagedObject {
  @Attribute public var title = ""
  @Attribute public var popularity: Double?
  @Attribute(.unique) public var remoteID: Int64 = 0
  @Attribute public var overview = ""
  @Attribute public var released = ""
  @Attribute public var votes: Int64 = 0
}

/// A class before and after an attribute was added.
public enum Before {
  public final class Item: ManagedObject {
    @Attribute(.unique) public var number: Int64 = 0
    @Attribute public var text = ""
  }
}

/// A class before and after an attribute was added.
public enum After {
  public final class Item: ManagedObject {
    @Attribute(.unique) public var number: Int64 = 0
    @Attribute public var text = ""
    @Attribute public var rating = 2.5
  }
}
