import Foundation
import Testing

@testable import Persistence

private enum Size: Int, AttributeValue, Comparable {
  case small = 10
  case large = 20

  static var isStoredInOrder: Bool { true }

  static func < (left: Size, right: Size) -> Bool { left.rawValue < right.rawValue }
}

private enum Taste: String, AttributeValue, Comparable {
  case sweet, bitter

  static func < (left: Taste, right: Taste) -> Bool { left == .sweet && right == .bitter }
}

private final class Cake: ManagedObject {
  @Attribute var size = Size.small
  @Attribute var best: Size?
  @Attribute var taste = Taste.sweet
}

@Suite struct OwnTypeOrderTests {
  private func isRefused(_ body: @Sendable (ObjectSpace) throws -> Void) async throws -> Bool {
    let container = try await PersistentContainer(at: .inMemory, schema: Schema(Cake.self))
    do {
      try await container.newContext().perform(body)
      return false
    } catch {
      guard case .unsupportedQuery(let reason) = error else { throw error }
      return "\(reason)".contains("the stored form of this type does not preserve its order")
    }
  }

  @Test func `values of a type that says it is stored in order can be compared in queries`() async throws {
    let container = try await PersistentContainer(at: .inMemory, schema: Schema(Cake.self))
    try await container.newContext().persist { (objects) throws in
      for size in [Size.large, .small] {
        let cake = objects.insert(Cake.self)
        (cake.size, cake.best) = (size, size == .large ? .large : nil)
      }
      #expect(try objects.fetch(Cake.self, where: { $0.size > .small }).map(\.size) == [.large])
      #expect(try objects.count(Cake.self, where: { $0.size < $0.best || $0.best >= .large }) == 1)
      #expect(try objects.count(Cake.self, where: { $0.size.isIn(.small ... .large) }) == 2)
      #expect(try objects.aggregate(over: FetchDescriptor(Cake.self)) { $0.maximum { $0.size } } == .large)
      #expect(try objects.aggregate(over: FetchDescriptor(Cake.self)) { $0.minimum { $0.best } } == .large)
      let small = Size.small
      #expect(try objects.count(FetchDescriptor(Cake.self, matching: #Predicate { $0.size > small })) == 1)
    }
  }

  @Test func `values of other types are refused, because their order is not that of the stored forms`() async throws {
    #expect(try await isRefused { _ = try $0.count(Cake.self, where: { $0.taste < .bitter }) })
    #expect(try await isRefused { _ = try $0.count(Cake.self, where: { $0.taste < $0.taste }) })
    #expect(try await isRefused { _ = try $0.count(Cake.self, where: { $0.taste.isIn(.sweet ... .bitter) }) })
    #expect(try await isRefused { _ = try $0.aggregate(over: FetchDescriptor(Cake.self)) { $0.maximum { $0.taste } } })
    let bitter = Taste.bitter
    #expect(
      try await isRefused { _ = try $0.count(FetchDescriptor(Cake.self, matching: #Predicate { $0.taste < bitter })) })
  }
}
