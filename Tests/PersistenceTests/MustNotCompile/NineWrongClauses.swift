// Compiled by QueryTypeCheckingTests like WrongQueries.swift: conditions of nine clauses, of which the fifth is wrong.
// Before terms had a member for unknown names, some of these took the compiler 10 to 50 s.
import Foundation
import Persistence

func long00(_ o: ObjectSpace) throws {  // 'localizedStandardContains' is unavailable: write
  _ = try o.fetch(
    Story.self,
    where: {
      $0.score > 3 && $0.url == nil && $0.isRead && $0.rating > 7.5
        && $0.title.localizedStandardContains("x")
        && $0.votes >= 10 && $0.genre == .crime && $0.author.name == "x" && $0.released != nil
    })
}

func long01(_ o: ObjectSpace) throws {  // 'localizedCaseInsensitiveContains' is unavailable: write
  _ = try o.fetch(
    Story.self,
    where: {
      $0.score > 3 && $0.url == nil && $0.isRead && $0.rating > 7.5
        && $0.title.localizedCaseInsensitiveContains("x")
        && $0.votes >= 10 && $0.genre == .crime && $0.author.name == "x" && $0.released != nil
    })
}

func long02(_ o: ObjectSpace) throws {  // call value of non-function type
  _ = try o.fetch(
    Story.self,
    where: {
      $0.score > 3 && $0.url == nil && $0.isRead && $0.rating > 7.5
        && $0.title.localizedStandardCompare("x") == .orderedSame
        && $0.votes >= 10 && $0.genre == .crime && $0.author.name == "x" && $0.released != nil
    })
}

func long03(_ o: ObjectSpace) throws {  // call value of non-function type
  _ = try o.fetch(
    Story.self,
    where: {
      $0.score > 3 && $0.url == nil && $0.isRead && $0.rating > 7.5
        && $0.title.hasPrefx("x")
        && $0.votes >= 10 && $0.genre == .crime && $0.author.name == "x" && $0.released != nil
    })
}

func long04(_ o: ObjectSpace) throws {  // 'starts(with:)' is unavailable: write 'hasPrefix(…)'
  _ = try o.fetch(
    Story.self,
    where: {
      $0.score > 3 && $0.url == nil && $0.isRead && $0.rating > 7.5
        && $0.title.starts(with: "x")
        && $0.votes >= 10 && $0.genre == .crime && $0.author.name == "x" && $0.released != nil
    })
}

func long05(_ o: ObjectSpace) throws {  // write 'folded == …' instead
  _ = try o.fetch(
    Story.self,
    where: {
      $0.score > 3 && $0.url == nil && $0.isRead && $0.rating > 7.5
        && $0.title.caseInsensitiveCompare("x") == .orderedSame
        && $0.votes >= 10 && $0.genre == .crime && $0.author.name == "x" && $0.released != nil
    })
}

func long06(_ o: ObjectSpace) throws {  // 'lowercased()' is unavailable: write 'folded' in place of
  _ = try o.fetch(
    Story.self,
    where: {
      $0.score > 3 && $0.url == nil && $0.isRead && $0.rating > 7.5
        && $0.title.lowercased() == "x"
        && $0.votes >= 10 && $0.genre == .crime && $0.author.name == "x" && $0.released != nil
    })
}

func long07(_ o: ObjectSpace) throws {  // 'isEmpty' is unavailable: write '== ""' instead, or '==
  _ = try o.fetch(
    Story.self,
    where: {
      $0.score > 3 && $0.url == nil && $0.isRead && $0.rating > 7.5
        && $0.title.isEmpty
        && $0.votes >= 10 && $0.genre == .crime && $0.author.name == "x" && $0.released != nil
    })
}

func long08(_ o: ObjectSpace) throws {  // 'isEmpty' is unavailable: write '== ""' instead, or '==
  _ = try o.fetch(
    Story.self,
    where: {
      $0.score > 3 && $0.url == nil && $0.isRead && $0.rating > 7.5
        && !$0.title.isEmpty
        && $0.votes >= 10 && $0.genre == .crime && $0.author.name == "x" && $0.released != nil
    })
}

func long09(_ o: ObjectSpace) throws {  // call value of non-function type
  _ = try o.fetch(
    Story.self,
    where: {
      $0.score > 3 && $0.url == nil && $0.isRead && $0.rating > 7.5
        && $0.title.trimmingCharacters(in: .whitespaces) == "x"
        && $0.votes >= 10 && $0.genre == .crime && $0.author.name == "x" && $0.released != nil
    })
}

func long10(_ o: ObjectSpace) throws {  // 'isEmpty' is unavailable: write '== ""' instead, or '==
  _ = try o.fetch(
    Story.self,
    where: {
      $0.score > 3 && $0.url == nil && $0.isRead && $0.rating > 7.5
        && $0.subtitle.isEmpty
        && $0.votes >= 10 && $0.genre == .crime && $0.author.name == "x" && $0.released != nil
    })
}

func long11(_ o: ObjectSpace) throws {  // use optional chaining on non-optional value of type
  _ = try o.fetch(
    Story.self,
    where: {
      $0.score > 3 && $0.url == nil && $0.isRead && $0.rating > 7.5
        && $0.subtitle?.contains("x") == true
        && $0.votes >= 10 && $0.genre == .crime && $0.author.name == "x" && $0.released != nil
    })
}

func long12(_ o: ObjectSpace) throws {  // force unwrap value of non-optional type 'Term<Story,
  _ = try o.fetch(
    Story.self,
    where: {
      $0.score > 3 && $0.url == nil && $0.isRead && $0.rating > 7.5
        && $0.subtitle!.contains("x")
        && $0.votes >= 10 && $0.genre == .crime && $0.author.name == "x" && $0.released != nil
    })
}

func long13(_ o: ObjectSpace) throws {  // instance method 'map' requires that 'String' inherit from
  _ = try o.fetch(
    Story.self,
    where: {
      $0.score > 3 && $0.url == nil && $0.isRead && $0.rating > 7.5
        && $0.subtitle.map { $0 == "x" } == true
        && $0.votes >= 10 && $0.genre == .crime && $0.author.name == "x" && $0.released != nil
    })
}

func long14(_ o: ObjectSpace) throws {  // call value of non-function type
  _ = try o.fetch(
    Story.self,
    where: {
      $0.score > 3 && $0.url == nil && $0.isRead && $0.rating > 7.5
        && $0.subtitle.flatMap { $0 } == "x"
        && $0.votes >= 10 && $0.genre == .crime && $0.author.name == "x" && $0.released != nil
    })
}

func long15(_ o: ObjectSpace) throws {  // 'filter' is unavailable: write 'contains { … }' or 'count
  _ = try o.fetch(
    Story.self,
    where: {
      $0.score > 3 && $0.url == nil && $0.isRead && $0.rating > 7.5
        && $0.fans.filter { $0.isActive }.count > 2
        && $0.votes >= 10 && $0.genre == .crime && $0.author.name == "x" && $0.released != nil
    })
}

func long16(_ o: ObjectSpace) throws {  // 'first(where:)' is unavailable: write 'contains { … }'
  _ = try o.fetch(
    Story.self,
    where: {
      $0.score > 3 && $0.url == nil && $0.isRead && $0.rating > 7.5
        && $0.fans.first(where: { $0.isActive }) != nil
        && $0.votes >= 10 && $0.genre == .crime && $0.author.name == "x" && $0.released != nil
    })
}

func long17(_ o: ObjectSpace) throws {  // 'UnknownMember<Story>' to expected argument type
  _ = try o.fetch(
    Story.self,
    where: {
      $0.score > 3 && $0.url == nil && $0.isRead && $0.rating > 7.5
        && $0.fans.first != nil
        && $0.votes >= 10 && $0.genre == .crime && $0.author.name == "x" && $0.released != nil
    })
}

func long18(_ o: ObjectSpace) throws {  // instance method 'map' requires the types
  _ = try o.fetch(
    Story.self,
    where: {
      $0.score > 3 && $0.url == nil && $0.isRead && $0.rating > 7.5
        && $0.fans.map { $0.name }.contains("x")
        && $0.votes >= 10 && $0.genre == .crime && $0.author.name == "x" && $0.released != nil
    })
}

func long19(_ o: ObjectSpace) throws {  // 'String' to expected argument type
  _ = try o.fetch(
    Story.self,
    where: {
      $0.score > 3 && $0.url == nil && $0.isRead && $0.rating > 7.5
        && $0.fans.count == "2"
        && $0.votes >= 10 && $0.genre == .crime && $0.author.name == "x" && $0.released != nil
    })
}

func long20(_ o: ObjectSpace) throws {  // '(Row<RelatedObjects<Author>.Member>) ->
  _ = try o.fetch(
    Story.self,
    where: {
      $0.score > 3 && $0.url == nil && $0.isRead && $0.rating > 7.5
        && $0.fans.allSatisfy { $0.born }
        && $0.votes >= 10 && $0.genre == .crime && $0.author.name == "x" && $0.released != nil
    })
}

func long21(_ o: ObjectSpace) throws {  // 'Int' to expected argument type
  _ = try o.fetch(
    Story.self,
    where: {
      $0.score > 3 && $0.url == nil && $0.isRead && $0.rating > 7.5
        && $0.fans.isEmpty == 3
        && $0.votes >= 10 && $0.genre == .crime && $0.author.name == "x" && $0.released != nil
    })
}

func long22(_ o: ObjectSpace) throws {  // missing argument label 'where:' in call
  _ = try o.fetch(
    Story.self,
    where: {
      $0.score > 3 && $0.url == nil && $0.isRead && $0.rating > 7.5
        && $0.fans.contains("x")
        && $0.votes >= 10 && $0.genre == .crime && $0.author.name == "x" && $0.released != nil
    })
}

func long23(_ o: ObjectSpace) throws {  // call value of non-function type
  _ = try o.fetch(
    Story.self,
    where: {
      $0.score > 3 && $0.url == nil && $0.isRead && $0.rating > 7.5
        && $0.fans.flatMap { $0.stories }.isEmpty
        && $0.votes >= 10 && $0.genre == .crime && $0.author.name == "x" && $0.released != nil
    })
}

func long24(_ o: ObjectSpace) throws {  // '(Row<RelatedObjects<Author>.Member>) ->
  _ = try o.fetch(
    Story.self,
    where: {
      $0.score > 3 && $0.url == nil && $0.isRead && $0.rating > 7.5
        && $0.fans.count { $0.born } > 3
        && $0.votes >= 10 && $0.genre == .crime && $0.author.name == "x" && $0.released != nil
    })
}

func long25(_ o: ObjectSpace) throws {  // 'Term<Story, Author?>' has no dynamic member 'nam' using
  _ = try o.fetch(
    Story.self,
    where: {
      $0.score > 3 && $0.url == nil && $0.isRead && $0.rating > 7.5
        && $0.author.nam == "x"
        && $0.votes >= 10 && $0.genre == .crime && $0.author.name == "x" && $0.released != nil
    })
}

func long26(_ o: ObjectSpace) throws {  // use optional chaining on non-optional value of type
  _ = try o.fetch(
    Story.self,
    where: {
      $0.score > 3 && $0.url == nil && $0.isRead && $0.rating > 7.5
        && $0.author?.name == "x"
        && $0.votes >= 10 && $0.genre == .crime && $0.author.name == "x" && $0.released != nil
    })
}

func long27(_ o: ObjectSpace) throws {  // force unwrap value of non-optional type 'Term<Story,
  _ = try o.fetch(
    Story.self,
    where: {
      $0.score > 3 && $0.url == nil && $0.isRead && $0.rating > 7.5
        && $0.author!.name == "x"
        && $0.votes >= 10 && $0.genre == .crime && $0.author.name == "x" && $0.released != nil
    })
}

func long28(_ o: ObjectSpace) throws {  // 'String' to expected argument type
  _ = try o.fetch(
    Story.self,
    where: {
      $0.score > 3 && $0.url == nil && $0.isRead && $0.rating > 7.5
        && $0.author == "x"
        && $0.votes >= 10 && $0.genre == .crime && $0.author.name == "x" && $0.released != nil
    })
}

func long29(_ o: ObjectSpace) throws {  // 'map' is unavailable: write 'contains { … }' instead, or
  _ = try o.fetch(
    Story.self,
    where: {
      $0.score > 3 && $0.url == nil && $0.isRead && $0.rating > 7.5
        && $0.author.map { $0.name == "x" } == true
        && $0.votes >= 10 && $0.genre == .crime && $0.author.name == "x" && $0.released != nil
    })
}

func long30(_ o: ObjectSpace) throws {  // 'Bool' to expected argument type 'Term<Story,
  _ = try o.fetch(
    Story.self,
    where: {
      $0.score > 3 && $0.url == nil && $0.isRead && $0.rating > 7.5
        && ["a", "b"].contains($0.title)
        && $0.votes >= 10 && $0.genre == .crime && $0.author.name == "x" && $0.released != nil
    })
}

func long31(_ o: ObjectSpace) throws {  // 'Bool' to expected argument type 'Term<Story,
  _ = try o.fetch(
    Story.self,
    where: {
      $0.score > 3 && $0.url == nil && $0.isRead && $0.rating > 7.5
        && (1...3).contains($0.score)
        && $0.votes >= 10 && $0.genre == .crime && $0.author.name == "x" && $0.released != nil
    })
}

func long32(_ o: ObjectSpace) throws {  // 'Int' to expected argument type
  _ = try o.fetch(
    Story.self,
    where: {
      $0.score > 3 && $0.url == nil && $0.isRead && $0.rating > 7.5
        && $0.title == 3
        && $0.votes >= 10 && $0.genre == .crime && $0.author.name == "x" && $0.released != nil
    })
}

func long33(_ o: ObjectSpace) throws {  // 'String' to expected argument type
  _ = try o.fetch(
    Story.self,
    where: {
      $0.score > 3 && $0.url == nil && $0.isRead && $0.rating > 7.5
        && $0.score == "x"
        && $0.votes >= 10 && $0.genre == .crime && $0.author.name == "x" && $0.released != nil
    })
}

func long34(_ o: ObjectSpace) throws {  // 'Int' to expected argument type
  _ = try o.fetch(
    Story.self,
    where: {
      $0.score > 3 && $0.url == nil && $0.isRead && $0.rating > 7.5
        && $0.title > 3
        && $0.votes >= 10 && $0.genre == .crime && $0.author.name == "x" && $0.released != nil
    })
}

func long35(_ o: ObjectSpace) throws {  // 'UnknownMember<Story>' and 'String'
  _ = try o.fetch(
    Story.self,
    where: {
      $0.score > 3 && $0.url == nil && $0.isRead && $0.rating > 7.5
        && $0.genre.rawValue == "crime"
        && $0.votes >= 10 && $0.genre == .crime && $0.author.name == "x" && $0.released != nil
    })
}

func long36(_ o: ObjectSpace) throws {  // 'Row<Story>' has no dynamic member 'scoree' using key
  _ = try o.fetch(
    Story.self,
    where: {
      $0.score > 3 && $0.url == nil && $0.isRead && $0.rating > 7.5
        && $0.scoree == 3
        && $0.votes >= 10 && $0.genre == .crime && $0.author.name == "x" && $0.released != nil
    })
}

func long37(_ o: ObjectSpace) throws {  // 'String' to expected element type
  _ = try o.fetch(
    Story.self,
    where: {
      $0.score > 3 && $0.url == nil && $0.isRead && $0.rating > 7.5
        && $0.score.isIn(["a"])
        && $0.votes >= 10 && $0.genre == .crime && $0.author.name == "x" && $0.released != nil
    })
}

func long38(_ o: ObjectSpace) throws {  // integer literal value '1' cannot be used as a
  _ = try o.fetch(
    Story.self,
    where: {
      $0.score > 3 && $0.url == nil && $0.isRead && $0.rating > 7.5
        && $0.isRead == 1
        && $0.votes >= 10 && $0.genre == .crime && $0.author.name == "x" && $0.released != nil
    })
}

func long39(_ o: ObjectSpace) throws {  // 'Term<Story, Int>' to expected argument type 'Term<Story,
  _ = try o.fetch(
    Story.self,
    where: {
      $0.score > 3 && $0.url == nil && $0.isRead && $0.rating > 7.5
        && $0.score
        && $0.votes >= 10 && $0.genre == .crime && $0.author.name == "x" && $0.released != nil
    })
}

func long40(_ o: ObjectSpace) throws {  // 'FoldedText<Story>' has no member
  _ = try o.fetch(
    Story.self,
    where: {
      $0.score > 3 && $0.url == nil && $0.isRead && $0.rating > 7.5
        && $0.title.folded.hasPrefx("x")
        && $0.votes >= 10 && $0.genre == .crime && $0.author.name == "x" && $0.released != nil
    })
}

func long41(_ o: ObjectSpace) throws {  // 'UnknownMember<Story>' and 'String'
  _ = try o.fetch(
    Story.self,
    where: {
      $0.score > 3 && $0.url == nil && $0.isRead && $0.rating > 7.5
        && $0.title.foldd == "x"
        && $0.votes >= 10 && $0.genre == .crime && $0.author.name == "x" && $0.released != nil
    })
}

func long42(_ o: ObjectSpace) throws {  // call value of non-function type
  _ = try o.fetch(
    Story.self,
    where: {
      $0.score > 3 && $0.url == nil && $0.isRead && $0.rating > 7.5
        && $0.score.isMultiple(of: 2)
        && $0.votes >= 10 && $0.genre == .crime && $0.author.name == "x" && $0.released != nil
    })
}

func long43(_ o: ObjectSpace) throws {  // 'UnknownMember<Story>' and 'String'
  _ = try o.fetch(
    Story.self,
    where: {
      $0.score > 3 && $0.url == nil && $0.isRead && $0.rating > 7.5
        && $0.score.description == "3"
        && $0.votes >= 10 && $0.genre == .crime && $0.author.name == "x" && $0.released != nil
    })
}

func long44(_ o: ObjectSpace) throws {  // call value of non-function type
  _ = try o.fetch(
    Story.self,
    where: {
      $0.score > 3 && $0.url == nil && $0.isRead && $0.rating > 7.5
        && $0.rating.rounded() > 3
        && $0.votes >= 10 && $0.genre == .crime && $0.author.name == "x" && $0.released != nil
    })
}

func long45(_ o: ObjectSpace) throws {  // 'String' to expected argument type
  _ = try o.fetch(
    Story.self,
    where: {
      $0.score > 3 && $0.url == nil && $0.isRead && $0.rating > 7.5
        && $0.released > "x"
        && $0.votes >= 10 && $0.genre == .crime && $0.author.name == "x" && $0.released != nil
    })
}

func long46(_ o: ObjectSpace) throws {  // 'Term<Story, String?>' to expected argument type
  _ = try o.fetch(
    Story.self,
    where: {
      $0.score > 3 && $0.url == nil && $0.isRead && $0.rating > 7.5
        && $0.title.contains($0.subtitle)
        && $0.votes >= 10 && $0.genre == .crime && $0.author.name == "x" && $0.released != nil
    })
}

func long47(_ o: ObjectSpace) throws {  // 'contains(where:)' is unavailable: write 'contains("…")'
  _ = try o.fetch(
    Story.self,
    where: {
      $0.score > 3 && $0.url == nil && $0.isRead && $0.rating > 7.5
        && $0.title.contains(where: { $0 == "x" })
        && $0.votes >= 10 && $0.genre == .crime && $0.author.name == "x" && $0.released != nil
    })
}

func long48(_ o: ObjectSpace) throws {  // call value of non-function type
  _ = try o.fetch(
    Story.self,
    where: {
      $0.score > 3 && $0.url == nil && $0.isRead && $0.rating > 7.5
        && $0.title.range(of: "x") != nil
        && $0.votes >= 10 && $0.genre == .crime && $0.author.name == "x" && $0.released != nil
    })
}

func long49(_ o: ObjectSpace) throws {  // 'Int' to expected argument type
  _ = try o.fetch(
    Story.self,
    where: {
      $0.score > 3 && $0.url == nil && $0.isRead && $0.rating > 7.5
        && $0.title.hasPrefix(3)
        && $0.votes >= 10 && $0.genre == .crime && $0.author.name == "x" && $0.released != nil
    })
}

func long50(_ o: ObjectSpace) throws {  // 'UnknownMember<Story>' and 'String'
  _ = try o.fetch(
    Story.self,
    where: {
      $0.score > 3 && $0.url == nil && $0.isRead && $0.rating > 7.5
        && $0.url.absoluteString == "x"
        && $0.votes >= 10 && $0.genre == .crime && $0.author.name == "x" && $0.released != nil
    })
}

func long51(_ o: ObjectSpace) throws {  // call value of non-function type
  _ = try o.fetch(
    Story.self,
    where: {
      $0.score > 3 && $0.url == nil && $0.isRead && $0.rating > 7.5
        && $0.score.between(1, 3)
        && $0.votes >= 10 && $0.genre == .crime && $0.author.name == "x" && $0.released != nil
    })
}

func long52(_ o: ObjectSpace) throws {  // call value of non-function type
  _ = try o.fetch(
    Story.self,
    where: {
      $0.score > 3 && $0.url == nil && $0.isRead && $0.rating > 7.5
        && $0.title.like("x%")
        && $0.votes >= 10 && $0.genre == .crime && $0.author.name == "x" && $0.released != nil
    })
}

func long53(_ o: ObjectSpace) throws {  // call value of non-function type
  _ = try o.fetch(
    Story.self,
    where: {
      $0.score > 3 && $0.url == nil && $0.isRead && $0.rating > 7.5
        && $0.score.max($0.votes) > 3
        && $0.votes >= 10 && $0.genre == .crime && $0.author.name == "x" && $0.released != nil
    })
}
