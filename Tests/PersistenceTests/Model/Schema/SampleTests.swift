import Foundation
import Testing

@testable import Persistence

/// Attributes between properties of every layout, and superclasses that have attributes too.
private class Layered: ManagedObject {
  var flag = true
  @Attribute var title = "t"
  weak var friend: Layered?
  var pair: (Int8, String) = (1, "p")
}

private class Middle<Extra: Equatable & Sendable>: Layered {
  var extra: Extra?
  @Attribute var small: Int8 = 1
  lazy var lazily = 5
  let constant = "c"
}

private final class Bottom: Middle<[Int]>, CustomReflectable {
  var closure: () -> Int = { 7 }
  var _looksLikeAWrapper: UInt32 = 0
  @Attribute private(set) var date: Date? = nil
  @Attribute var count = 1
  var customMirror: Mirror { Mirror(self, children: ["nothing": 0]) }

  func touch() { date = Date(timeIntervalSince1970: 7) }
}

/// Uses a wrapper that was created outside any object.
private final class Borrower: ManagedObject {
  // nonisolated(unsafe): one test uses the class, and nothing writes to the wrapper.
  nonisolated(unsafe) static let wrapper = Attribute<Int>(wrappedValue: 7)
  @Attribute var text = "x"
  @Attribute var number = 1

  required init() {
    _number = Self.wrapper
    super.init()
  }
}

/// Creates its wrappers twice.
private final class Remaker: ManagedObject {
  @Attribute(.column("named")) var named = 1
  @ToMany(inverse: \Remaker.owner) var members: RelatedObjects<Remaker>
  @ToOne var owner: Remaker?

  required init() {
    super.init()
    _named = Attribute(wrappedValue: 2, .column("named"))
    _members = ToMany(inverse: \Remaker.owner)
  }
}

@Suite struct SampleTests {
  @Test(arguments: [Borrower.self, Remaker.self] as [ManagedObject.Type])
  func `a schema rejects a class that replaces a declared property wrapper`(type: ManagedObject.Type) async throws {
    _ = Borrower.wrapper  // before a schema examines the class
    let error = await #expect(throws: PersistenceError.self) {
      _ = try await PersistentContainer(at: .inMemory, schema: Schema(type))
    }
    guard case .invalidSchema(let problems) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(!problems.isEmpty)
  }

  @Test(
    arguments: [
      Layered.self, Middle<[Int]>.self, Remaker.self, Wide.self, Everything.self, Show.self, Studio.self, Title.self,
    ] as [ManagedObject.Type])
  func `mirrors find the same wrappers as the functions of the runtime`(type: ManagedObject.Type) {
    let sample = Sample(of: type)
    var fields = StoredFields(below: ManagedObject.self)
    let (found, mirrored) = (sample.wrappers(&fields), sample.mirroredWrappers())
    #expect(!found.isEmpty && found.map(\.property) == mirrored.map(\.property))
    #expect(found.map(\.offset) == mirrored.map(\.offset) && found.map(\.number) == mirrored.map(\.number))
    #expect(zip(found, mirrored).allSatisfy { $0.valueType == $1.valueType })
  }

  @Test func `schemas that are created concurrently find every attribute`() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for round in 0..<64 {
        group.addTask {
          let schema =
            round.isMultiple(of: 2)
            ? Schema(Show.self, Studio.self, Actor.self) : Schema(Actor.self, Everything.self, Studio.self, Show.self)
          _ = try await PersistentContainer(at: .inMemory, schema: schema)
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func `a schema finds attributes among other properties and in every superclass`() async throws {
    let container = try await PersistentContainer(at: .inMemory, schema: Schema(Bottom.self))
    let id = try await container.newContext().persist { objects in
      let object = objects.insert(Bottom.self)
      object.title = "other"
      object.small = -3
      object.count = 7
      object.touch()
      object._looksLikeAWrapper = 1
      return object.id
    }
    try await container.newContext().perform { objects in
      let object = try objects.object(id)
      #expect(object.title == "other" && object.small == -3 && object.count == 7)
      #expect(object.date == Date(timeIntervalSince1970: 7))
      #expect(object.flag && object.pair == (1, "p") && object.lazily == 5 && object._looksLikeAWrapper == 0)
      #expect(object.closure() == 7 && object.extra == nil && object.friend == nil)
      #expect(try objects.count(Bottom.self, where: { $0.small == -3 && $0.title == "other" }) == 1)
    }
  }
}
