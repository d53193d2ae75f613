import Foundation
import Testing

@testable import Persistence

// The class whose full-text index has a name like that of a base table.
private enum Old {
  final class base_Note: ManagedObject {
    @Attribute(.searchable) var text = ""
  }
}

private enum New {
  final class base_Note: ManagedObject {
    @Attribute(.searchable) var text = ""
    @Attribute var rating = 0
  }
}

@Suite struct UntrackedSearchTests {
  @Test func `a migration keeps the triggers of a full-text index with a name like that of a base table`() throws {
    let folder = try TemporaryStore()
    do {
      let store = try Store(.file(folder.file), Schema(Old.base_Note.self), StoreConfiguration())
      try ObjectSpace(store.access).persist { $0.insert(Old.base_Note.self).text = "first" }
    }
    let store = try Store(.file(folder.file), Schema(New.base_Note.self).version(2), StoreConfiguration())
    let space = try ObjectSpace(store.access)
    try space.persist { $0.insert(New.base_Note.self).text = "second" }
    let found = try space.perform { try $0.fetch(New.base_Note.self) { $0.matches(SearchText("second")) }.map(\.text) }
    #expect(found == ["second"])
  }
}
