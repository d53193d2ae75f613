// Compiled by MustNotCompileTests: once as written, which must succeed, and once for each name after an `#if`, which
// must fail with the text after `//`.
import Foundation
import Persistence

final class Movie: ManagedObject {
  @Attribute var title = ""
  @Attribute var popularity: Double?
  @ToMany var members: RelatedObjects<Member>
}

final class Member: ManagedObject {
  @Attribute var name = ""
  @ToMany(inverse: \Movie.members) var movies: RelatedObjects<Movie>
}

#if noDefault  // give the attribute a default value, or make its type Optional
final class Year: ManagedObject {
  @Attribute var number: Int
}
#endif
#if noDefaultWithOptions  // give the attribute a default value, or make its type Optional
final class Label: ManagedObject {
  @Attribute(.unique) var text: String
  @Attribute(.indexed) var note: String?
}
#endif

final class Keeper: Sendable {}

protocol Listener: AnyObject, Sendable {}
protocol AnyListener: Sendable {}

func delegates() {
  _ = MulticastDelegate<any Listener> { $0 }
  _ = MulticastDelegate<Keeper> { $0 }
  #if listenerThatIsNoObject  // 'any AnyListener'
  _ = MulticastDelegate<any AnyListener> { $0 }
  #endif
  #if listenerThatIsAValue  // 'Int'
  _ = MulticastDelegate<Int> { $0 }
  #endif
}

func loadTitle() async -> String { "" }

func add(_ objects: ObjectSpace) -> ObjectID<Movie> { objects.insert(Movie.self).id }

func cases(_ a: ObjectContext, _ b: ObjectContext, _ id: ObjectID<Movie>) async throws {
  // This must continue to compile: ids and values leave the context, objects stay.
  _ = try await a.persist { add($0) }
  _ = try await a.perform { try $0.fetch(Movie.self, sort: [.ascending(\.title)]).map(\.id) }
  try await a.persist { try $0.object(id).popularity = 21.5 }
  a.persist({ try $0.object(id).popularity = 21.5 }) { result in _ = result }
  let title = try await a.perform { objects in
    let movie = try objects.object(id)
    movie.members.insert(objects.insert(Member.self))
    return movie.title
  }
  _ = title

  #if waitInPersist  // 'persist' is one transaction and cannot wait: await values first
  try await a.persist { try $0.object(id).title = await loadTitle() }
  #endif
  #if waitInPerform  // 'perform' is one transaction and cannot wait: await values first
  _ = try await a.perform { objects in
    let title = await loadTitle()
    return try objects.count(Movie.self, where: { $0.title == title })
  }
  #endif
  #if returnObject  // an object lives in its context: return object.id
  let movie = try await a.persist { try $0.object(id) }
  print(movie.title)
  #endif
  #if returnObjects  // an object lives in its context: return object.id
  _ = try await a.perform { try $0.fetch(Movie.self) }
  #endif
  #if returnRelated  // a relationship lives in its context
  _ = try await a.perform { try $0.object(id).members }
  #endif
  #if returnSpace  // a space lives in its context
  _ = try await a.perform { $0 }
  #endif
  #if returnOptionalObject  // an object lives in its context: return object.id
  let movie: Movie? = try await a.perform { try $0.existingObject(id) }
  _ = movie?.title
  #endif
  #if assignToCapturedVariable  // mutation of captured var 'leak' in concurrently-executing code
  var leak: Movie?
  try await a.persist { leak = try $0.object(id) }
  print(leak as Any)
  #endif
  #if captureForeignObject  // capture of 'mine' with non-Sendable type 'Movie' in a '@Sendable' closure
  let mine = Movie()
  try await a.persist { $0.insert(Member.self).movies.insert(mine) }
  #endif
  #if handToAnotherContext  // Sendable
  try await a.persist { objects in
    let movie = try objects.object(id)
    Task { try await b.persist { $0.insert(Member.self).movies.insert(movie) } }
  }
  #endif
  #if useInTask  // risks causing data races
  try await a.persist { objects in
    let movie = try objects.object(id)
    Task { movie.title = "late" }
    movie.title = "now"
  }
  #endif
  #if useInDetachedTask  // risks causing data races
  try await a.persist { objects in
    let movie = try objects.object(id)
    Task.detached { movie.title = "late" }
    movie.title = "now"
  }
  #endif
  #if useOnMainActor  // risks causing data races
  try await a.persist { objects in
    let movie = try objects.object(id)
    Task { @MainActor in movie.title = "late" }
  }
  #endif
  #if useSpaceInTask  // risks causing data races
  try await a.persist { objects in Task { _ = objects.insert(Movie.self) } }
  #endif
  #if sendableClosure  // with non-Sendable type 'Movie' in a '@Sendable' closure
  try await a.persist { objects in
    let movie = try objects.object(id)
    let later: @Sendable () -> Void = { movie.title = "late" }
    later()
  }
  #endif
  #if returnClosure  // Sendable
  let later = try await a.persist { objects in
    let movie = try objects.object(id)
    return { movie.title = "late" }
  }
  later()
  #endif
  #if callbackReturnsObject  // an object lives in its context: return object.id
  a.persist({ try $0.object(id) }) { result in _ = result }
  #endif
  #if nestedPersist  // 'async' call in a function that does not support concurrency
  try await a.persist { objects in
    _ = objects.insert(Movie.self)
    try a.persist { _ in }
  }
  #endif
  #if awaitInBody  // is one transaction and cannot wait: await values first
  try await a.persist { objects in
    _ = objects.insert(Movie.self)
    try await Task.sleep(for: .seconds(1))
  }
  #endif
  #if streamOfObjects  // Sendable
  let stream = AsyncStream<Movie> { continuation in
    a.perform({ objects in continuation.yield(try objects.object(id)) }) { _ in }
  }
  for await movie in stream { print(movie.title) }
  #endif
  #if wrongMember  // cannot convert value of type 'Movie' to expected argument type 'Member'
  try await a.persist { objects in
    objects.insert(Movie.self).members.insert(objects.insert(Movie.self))
  }
  #endif
  #if sortByOtherClass  // Member
  _ = try await a.perform { try $0.fetch(Movie.self, sort: [.ascending(\Member.name)]).count }
  #endif
  #if idOfOtherClass  // cannot assign value of type
  try await a.persist { objects in
    var other = objects.insert(Member.self).id
    other = id
    _ = other
  }
  #endif
}

@MainActor func viewCases(_ view: ViewContext, _ a: ObjectContext, _ id: ObjectID<Movie>) async throws {
  #if waitInViewPersist  // 'persist' is one transaction and cannot wait: await values first
  try view.persist { try $0.object(id).title = await loadTitle() }
  #endif
  // The main actor's objects are held and changed by main-actor code.
  let movie = view.insert(Movie.self)
  movie.title = "Fargo"
  try view.save()
  _ = add(try view.objects)
  #if viewObjectInBackground  // with non-Sendable type 'Movie' in a '@Sendable' closure
  try await a.persist { _ in movie.title = "late" }
  #endif
  #if viewObjectInDetachedTask  // risks causing data races
  Task.detached { movie.title = "late" }
  movie.title = "now"
  #endif
  #if viewSpaceInBackground  // with non-Sendable type 'ObjectSpace' in a '@Sendable' closure
  let space = try view.objects
  try await a.perform { _ in _ = try space.object(id) }
  #endif
}

func elsewhere(_ view: ViewContext) async throws {
  #if viewObjectElsewhere  // non-Sendable
  let movie = await view.insert(Movie.self)
  movie.title = "late"
  #endif
  #if viewWithoutAwait  // cannot be called from outside of the actor
  view.rollback()
  #endif
}

#if unsupportedType  // requires that 'Keeper' conform to 'AttributeValue'
final class Odd: ManagedObject { @Attribute var keeper = Keeper() }
#endif
#if withoutDefault  // give the attribute a default value, or make its type Optional
final class Bare: ManagedObject { @Attribute var title: String }
#endif
#if attributeInStruct  // @Attribute belongs in a subclass of ManagedObject
struct Plain {
  @Attribute var title = ""
  func show() { print(title) }
}
#endif
#if relationshipToValue  // String
final class Wrong: ManagedObject { @ToMany var titles: RelatedObjects<String> }
#endif
#if inverseOfOtherClass  // Movie
final class Mistaken: ManagedObject { @ToMany(inverse: \Member.name) var movies: RelatedObjects<Movie> }
#endif
