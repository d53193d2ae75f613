/// The title and year of a real movie. The numbers that the replica assigns to it are made up.
struct KnownMovie: Sendable {
  let title: String
  let year: Int?
  let originalTitle: String?
  let language: String

  init(_ title: String, _ year: Int?, original: String? = nil, language: String = "en") {
    self.title = title
    self.year = year
    originalTitle = original
    self.language = language
  }

  /// Titles with an ampersand, a plus sign, an accent or another script are included on purpose.
  static let all = [
    KnownMovie("Fargo", 1996),
    KnownMovie("Fast & Furious", 2009),
    KnownMovie("Amélie", 2001, original: "Le Fabuleux Destin d'Amélie Poulain", language: "fr"),
    KnownMovie("Spirited Away", 2001, original: "千と千尋の神隠し", language: "ja"),
    KnownMovie("Alien", 1979),
    KnownMovie("Aliens", 1986),
    KnownMovie("The Matrix", 1999),
    KnownMovie("The Matrix Reloaded", 2003),
    KnownMovie("Inception", 2010),
    KnownMovie("Paddington", 2014),
    KnownMovie("Paddington 2", 2017),
    KnownMovie("Romeo + Juliet", 1996),
    KnownMovie("What's Up, Doc?", 1972),
    KnownMovie("50/50", 2011),
    KnownMovie("Das Boot", 1981, original: "Das Boot", language: "de"),
    KnownMovie("Pan's Labyrinth", 2006, original: "El laberinto del fauno", language: "es"),
    KnownMovie("Seven Samurai", 1954, original: "七人の侍", language: "ja"),
    KnownMovie("In the Mood for Love", 2000, original: "花樣年華", language: "cn"),
    KnownMovie("Casablanca", 1942),
    KnownMovie("Metropolis", 1927, original: "Metropolis", language: "de"),
    KnownMovie("The Third Man", 1949),
    KnownMovie("Modern Times", 1936),
    KnownMovie("My Neighbor Totoro", 1988, original: "となりのトトロ", language: "ja"),
    KnownMovie("Wall-E", 2008),
    KnownMovie("Up", 2009),
    KnownMovie("Ratatouille", 2007),
    KnownMovie("Babe", 1995),
    KnownMovie("The Castle", nil),
  ]
}
