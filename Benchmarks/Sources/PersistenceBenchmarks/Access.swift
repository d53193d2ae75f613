import BenchmarkSupport
import Persistence
import PersistenceModel

// Loops of their own and never inlined, so that what is measured is what any client's code would be. Each gives back a
// number that depends on all it has read.

@inline(never) private func touch(_ movie: Movie, times: Int) -> Int64 {
  var sum: Int64 = 0
  for _ in 0..<times {
    movie.votes &+= 1
    sum &+= movie.votes
  }
  return sum
}

@inline(never) private func touch(_ movies: [Movie]) -> Int64 {
  var sum: Int64 = 0
  for movie in movies {
    sum &+= movie.votes
    movie.votes = 4
  }
  return sum
}

@inline(never) private func exchange(_ films: [Film], _ one: Director, _ other: Director) -> Int {
  var changes = 0
  for film in films {
    let director = film.director
    film.director = director === one ? other : one
    if director != nil { changes += 1 }
  }
  return changes
}

extension Benchmark {
  /// One object's attribute read and written again and again.
  static var accessHot: Benchmark {
    Benchmark("get + set of an attribute, one object", unit: "ns", must: 10, goal: 1) {
      try await inMemory { objects in
        let movie = objects.insert(Movie.self)
        let times = 20_000_000
        var sum: Int64 = 0
        let time = milliseconds { sum = touch(movie, times: times) }
        guard movie.votes == Int64(times), sum != 0 else { throw WrongResult("\(movie.votes) votes") }
        return time * 1e6 / Double(times)
      }
    }
  }

  /// The attribute of each of all objects, after it has been changed once.
  static var accessScattered: Benchmark {
    let stores = FilledStores(Movie.self)
    return Benchmark("get + set of an attribute, all objects", unit: "ns", must: 30, goal: 20) {
      try await changing(stores, rounds: 2)
    }
  }

  /// The first change of each object, which keeps the value that was there.
  static var accessFirst: Benchmark {
    let stores = FilledStores(Movie.self)
    return Benchmark("get + set of an attribute, first change", unit: "ns", must: 120, goal: 60) {
      try await changing(stores, rounds: 1)
    }
  }

  /// A to-one read, and set to another object, whose inverse is kept too.
  static var accessToOne: Benchmark {
    Benchmark("get + set of a to-one, 100 000 objects", unit: "ns", must: nil, goal: 60) {
      try await inMemory { objects in
        let (one, other) = (objects.insert(Director.self), objects.insert(Director.self))
        let films = (0..<SampleMovies.count).map { _ in objects.insert(Film.self) }
        for film in films { film.director = one }
        var changes = 0
        let time = milliseconds { changes = exchange(films, one, other) }
        try expectCount(changes)
        guard films.allSatisfy({ $0.director === other }) else { throw WrongResult("a film was left behind") }
        return time * 1e6 / Double(films.count)
      }
    }
  }

  private static func changing(_ stores: FilledStores<Movie>, rounds: Int) async throws -> Double {
    let context = try await stores.container().newContext()
    let time = try await context.perform { objects in
      let movies = try objects.fetch(Movie.self)
      var time = 0.0
      for _ in 0..<rounds { time = milliseconds { _ = touch(movies) } }
      guard movies[77].votes == 4 else { throw WrongResult("\(movies[77].votes) votes") }
      return time * 1e6 / Double(movies.count)
    }
    await context.rollback()
    return time
  }

  private static func inMemory(_ body: @Sendable (ObjectSpace) throws -> Double) async throws -> Double {
    let container = try await PersistentContainer(
      at: .inMemory, schema: Schema(Movie.self, Director.self, Film.self))
    return try await container.newContext().persist(body)
  }
}
