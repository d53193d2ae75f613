import Persistence

final class Article: ManagedObject {
  @Attribute(.searchable) var title = ""
  @Attribute(.searchable, .column("text")) var body: String?
  @Attribute(.unique) var number = 0
  @Attribute var year = 2000
  @ToOne var author: Author?

  static func insert(_ title: String, _ body: String? = nil, _ number: Int, in objects: ObjectSpace) -> Article {
    let article = objects.insert(Article.self)
    (article.title, article.body, article.number) = (title, body, number)
    return article
  }
}

final class Author: ManagedObject {
  @Attribute(.searchable, .unique) var name = ""
  @ToMany(inverse: \Article.author, deleteRule: .cascade) var articles: RelatedObjects<Article>
}

/// One class in several releases of a program.
enum NoteWithoutSearch {
  final class Note: ManagedObject {
    @Attribute var title = ""
    @Attribute var text: String?
  }
}

enum NoteWithSearch {
  final class Note: ManagedObject {
    @Attribute(.searchable) var title = ""
    @Attribute(.searchable) var text: String?
  }
}

enum NoteWithLessSearch {
  final class Note: ManagedObject {
    @Attribute var title = ""
    @Attribute(.searchable) var text: String?
  }
}

enum NoteRenamed {
  final class Memo: ManagedObject {
    @Attribute(.searchable) var heading = "x"
    @Attribute(.searchable) var text = "filled"
    @Attribute var added = 1
  }
}
