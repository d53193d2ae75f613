// Compiled by QueryTypeCheckingTests together with the classes of RightQueries.swift. The error in each function must
// contain the texts after `//`, which are separated by semicolons.
import Foundation
import Persistence

func misspelled(_ o: ObjectSpace) throws {  // 'scoree'
  _ = try o.fetch(Story.self, where: { $0.title == "a" && $0.score > 3 && $0.url == nil && $0.scoree == 3 })
}

func numberForText(_ o: ObjectSpace) throws {  // 'Int'; 'String'
  _ = try o.fetch(Story.self, where: { $0.title == 3 })
}

func textForNumber(_ o: ObjectSpace) throws {  // 'String'; 'Int'
  _ = try o.fetch(Story.self, where: { $0.title == "a" && $0.score == "3" && $0.isRead })
}

func numberAsCondition(_ o: ObjectSpace) throws {  // 'Term<Story, Int>'
  _ = try o.fetch(Story.self, where: { $0.title == "a" && $0.score })
}

func negatedText(_ o: ObjectSpace) throws {  // 'Term<Story, String>'
  _ = try o.fetch(Story.self, where: { !$0.title && $0.isRead })
}

func toOneAsText(_ o: ObjectSpace) throws {  // Term<Story, Author?>
  _ = try o.fetch(Story.self, where: { $0.author == "x" })
}

func misspelledInPath(_ o: ObjectSpace) throws {  // 'nam'; 'Author'
  _ = try o.fetch(Story.self, where: { $0.title == "a" && $0.score > 3 && $0.author.nam == "x" && $0.isRead })
}

func orderedText(_ o: ObjectSpace) throws {  // 'Int'; 'String'
  _ = try o.fetch(Story.self, where: { $0.title > 3 && $0.score > 3 && $0.isRead })
}

func toManyAsText(_ o: ObjectSpace) throws {  // RelatedObjects<Author>
  _ = try o.fetch(Story.self, where: { $0.fans == "Ann" })
}

func misspelledMember(_ o: ObjectSpace) throws {  // 'nam'; 'Author'
  _ = try o.fetch(Story.self, where: { $0.fans.contains { $0.nam == "Ann" } && $0.score > 3 })
}

func wrongMember(_ o: ObjectSpace) throws {  // 'Int'; 'String'
  _ = try o.fetch(Story.self, where: { $0.fans.contains { $0.name == 3 } && $0.score > 3 })
}

func nilForNumber(_ o: ObjectSpace) throws {  // 'nil'; 'Int'
  _ = try o.fetch(Story.self, where: { $0.score == nil && $0.title == "x" && $0.isRead })
}

func unknownCase(_ o: ObjectSpace) throws {  // 'Genre'; 'comedy'
  _ = try o.fetch(Story.self, where: { $0.genre == .comedy && $0.title == "x" && $0.isRead })
}

func setOfTexts(_ o: ObjectSpace) throws {  // 'String'; 'Int'
  _ = try o.fetch(Story.self, where: { $0.score.isIn(["a", "b"]) && $0.isRead })
}

func numberSearched(_ o: ObjectSpace) throws {  // 'contains'; 'Int'; 'String'
  _ = try o.fetch(Story.self, where: { $0.score.contains("a") && $0.isRead })
}

func countAsText(_ o: ObjectSpace) throws {  // 'String'; 'Int'
  _ = try o.fetch(Story.self, where: { $0.fans.count > "2" && $0.isRead })
}

func termsOfTwoTypes(_ o: ObjectSpace) throws {  // 'String'; 'Int'
  _ = try o.fetch(Story.self, where: { $0.title == $0.score && $0.isRead })
}

func unordered(_ o: ObjectSpace) throws {  // 'Genre'; 'Comparable'
  _ = try o.fetch(Story.self, where: { $0.genre > .crime && $0.isRead })
}

func idOfOtherClass(_ o: ObjectSpace, _ id: ObjectID<Story>) throws {  // 'ObjectID<Story>'; 'ObjectID<Author>'
  _ = try o.fetch(Story.self, where: { $0.author == id && $0.isRead })
}

func method(_ o: ObjectSpace) throws {  // 'lowercased()'; 'folded'
  _ = try o.fetch(Story.self, where: { $0.title.lowercased() == "a" && $0.score > 3 && $0.url == nil })
}

func assignment(_ o: ObjectSpace) throws {  // 'Term<Story, String>'
  _ = try o.fetch(Story.self, where: { $0.title = "a" })
}

func sum(_ o: ObjectSpace) throws {  // 'Int'; 'Term<Story, Value>'
  _ = try o.fetch(Story.self, where: { $0.title == "a" && $0.title + 1 > 3 })
}

func sumOfTypes(_ o: ObjectSpace) throws {  // 'Term<Story, Double?>'; 'Term<Story, Int>'
  _ = try o.fetch(Story.self, where: { $0.isRead && $0.score * $0.rating > 3 && $0.votes != 2 })
}

func sevenClauses(_ o: ObjectSpace) throws {  // 'comedy'
  _ = try o.fetch(
    Story.self,
    where: {
      $0.title == "x" && $0.isRead && $0.score > 3 && $0.rating > 7.5 && $0.url == nil && $0.author.name == "x"
        && $0.genre == .comedy
    })
}

func keyPaths(_ o: ObjectSpace) throws {  // 'KeyPath<
  _ = try o.fetch(Story.self, where: \.title == "x")
}
