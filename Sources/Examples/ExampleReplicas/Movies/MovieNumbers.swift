/// The values of a movie that change: popularity, votes, and sometimes the rating.
///
/// The values are a pure function of the movie and a tick, so two processes with the same tick have the same values.
/// `popularity` measures how often a movie is viewed and is not a rating: an old movie can be well liked but rarely
/// viewed.
struct MovieNumbers: Equatable {
  let popularity: Double
  let rating: Double
  let votes: Int

  init(id: Int64, tick: Int) {
    let base = stableHash("base", "\(id)")
    let wobble = stableHash("wobble", "\(id)", "\(tick)")
    let quiet = 0.5 + Double(base % 60_000) / 1000
    popularity = ((quiet * (0.9 + Double(wobble % 2000) / 10_000)) * 1000).rounded() / 1000
    // Every ninth movie has a whole number as its rating, which the real service writes without a fraction.
    let tenths = 40 + Double(base / 7 % 55)
    rating = base % 9 == 0 ? (tenths / 10).rounded() : (tenths * 100 + Double(base % 97) + 1) / 1000
    votes = 50 + Int(base % 20_000) + tick % 10_000
  }
}
