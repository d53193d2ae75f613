import Foundation
import Persistence
import Testing

@Suite struct OwnerTests {
  private final class Smuggler: @unchecked Sendable {
    var space: ObjectSpace?
    var movie: Movie?
  }

  @Test func `a space that was smuggled out of its closure refuses to work`() async throws {
    let container = try await PersistentContainer(at: .inMemory, schema: Schema(Movie.self, FamilyMember.self))
    let context = container.newContext()
    let smuggler = Smuggler()
    let id = try await context.persist { objects in
      smuggler.space = objects
      return objects.insert(Movie.self).id
    }
    let space = try #require(smuggler.space)
    for body in [
      { _ = try $0.fetch(Movie.self) }, { _ = try $0.object(id) }, { _ = try $0.count(Movie.self) },
    ] as [(ObjectSpace) throws -> Void] {
      #expect {
        try body(space)
      } throws: { error in
        guard case .wrongContext = error as? PersistenceError else { return false }
        return true
      }
    }
    smuggler.space = nil
  }

  #if DEBUG
  @Test func `an object that was smuggled out of its closure stops the program in debug builds`() async {
    await #expect(processExitsWith: .failure) {
      let container = try await PersistentContainer(at: .inMemory, schema: Schema(Movie.self, FamilyMember.self))
      let holder = Holder()
      let context = container.newContext()
      try await context.persist { holder.movies = [$0.insert(Movie.self)] }
      holder.movies[0].title = "late"
    }
  }
  #endif
}
