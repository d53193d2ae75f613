// Ways out of a context. Compiled by IsolationTests: as Swift 5 all of them compile, as Swift 6 those outside of `#if`.
import Dispatch
import Foundation
import Persistence

final class Movie: ManagedObject {
  @Attribute var title = ""
}

final class Box: @unchecked Sendable {
  var movie: Movie?
}

#if SWIFT5
var global: Movie?

enum Cache {
  static var movie: Movie?
}

struct Failed: Error {
  let movie: Movie
}

actor Keeper {
  var movie: Movie?
  func keep(_ movie: Movie) { self.movie = movie }
}
#endif

func escapes(_ a: ObjectContext, _ b: ObjectContext, _ id: ObjectID<Movie>, _ box: Box) async throws {
  try await a.persist { objects in
    let movie = try objects.object(id)
    box.movie = movie
    NotificationCenter.default.post(name: .init("movie"), object: movie)
    Thread.current.threadDictionary["movie"] = movie
    #if SWIFT5
    global = movie
    Cache.movie = movie
    DispatchQueue.global().async { movie.title = "queue" }
    DispatchQueue.main.async { movie.title = "main" }
    Task { movie.title = "task" }
    Task.detached { movie.title = "detached" }
    OperationQueue.main.addOperation { movie.title = "operation" }
    Thread.detachNewThread { movie.title = "thread" }
    Timer.scheduledTimer(withTimeInterval: 1, repeats: false) { _ in movie.title = "timer" }
    b.persist({ _ in movie.title = "another context" }) { _ in movie.title = "callback" }
    let keeper = Keeper()
    Task { await keeper.keep(movie) }
    throw Failed(movie: movie)
    #endif
  }
}
