import Persistence

final class Movie: ManagedObject {
  @Attribute(.unique) var title = ""
}

let container = try await PersistentContainer(at: .inMemory, schema: Schema(Movie.self))
let context = container.newContext()
let id = try await context.persist { objects in
  let movie = objects.insert(Movie.self)
  movie.title = "Fargo"
  return movie.id
}
print(try await context.perform { try $0.object(id).title })
