public import Persistence
public import SyncKit
public import SyncTesting

public final class Note: ManagedObject {
  @Attribute(.unique) public var number: Int64?
  @Attribute public var text = ""
}

public let classes = [SyncedClass(Note.self, key: \.number, created: .idempotencyKey)]
public var schema: Schema { fatalError() }
public var api: MemoryAPI { fatalError() }
public var container: PersistentContainer { fatalError() }
public var engine: SyncEngine { fatalError() }
