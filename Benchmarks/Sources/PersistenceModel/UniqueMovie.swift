public import Persistence

/// The same columns, with an attribute that is unique.
public final class UniqueMovie: ManagedObject, SampleMovie {
  @Attribute public var title = ""
  @Attribute public var popularity: Double?
  @Attribute(.unique) public var remoteID: Int64 = 0
  @Attribute public var overview = ""
  @Attribute public var released = ""
  @Attribute public var votes: Int64 = 0
}
