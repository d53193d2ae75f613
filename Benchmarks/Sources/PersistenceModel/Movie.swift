public import Persistence

/// Seven columns: the id, three texts of which one is longer than a small string, a nullable number and two integers.
public final class Movie: ManagedObject, SampleMovie {
  @Attribute public var title = ""
  @Attribute public var popularity: Double?
  @Attribute public var remoteID: Int64 = 0
  @Attribute public var overview = ""
  @Attribute public var released = ""
  @Attribute public var votes: Int64 = 0
}
