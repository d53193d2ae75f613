public import Persistence

/// A text that can be searched.
public final class Article: ManagedObject {
  @Attribute(.searchable) public var text = ""
}
