import LarderPersistence
import Persistence

final class Movie: ManagedObject {
  @Attribute(.unique) var title = ""
}

let container = try await PersistentContainer(at: .inMemory, schema: Schema(Movie.self))
try await container.newContext().persist { $0.insert(Movie.self).title = Preferences().theme }
print(try await container.newContext().perform { try $0.fetch(Movie.self).map(\.title) })
