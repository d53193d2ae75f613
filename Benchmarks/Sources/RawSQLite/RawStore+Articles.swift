import GRDBSQLite

extension RawStore {
  /// A table of texts and its FTS5 index, which has a copy of them.
  public func createArticles() throws {
    try execute(
      """
      CREATE TABLE article(id INTEGER PRIMARY KEY, text TEXT NOT NULL);
      CREATE VIRTUAL TABLE article_search USING fts5(text, tokenize='unicode61')
      """)
  }

  /// Inserts texts with these ids, in one transaction, and each also into the index if it is searchable.
  public func insertArticles(_ ids: Range<Int>, isSearchable: Bool = true, _ make: (Int) -> String) throws {
    let statement = try prepared("INSERT INTO article(id,text) VALUES(?,?)")
    let index = try prepared("INSERT INTO article_search(rowid,text) VALUES(?,?)")
    try run(prepared("BEGIN IMMEDIATE"))
    for id in ids {
      var text = make(id)
      try text.withUTF8 { text in
        for statement in isSearchable ? [statement, index] : [statement] {
          try check(sqlite3_bind_int64(statement, 1, Int64(id)))
          try bind(statement, 2, text)
          try run(statement)
        }
      }
    }
    try run(prepared("COMMIT"))
  }

  /// The texts of the best matches, best first.
  public func search(_ expression: String, limit: Int) throws -> [String] {
    let statement = try prepared(
      """
      SELECT article.text FROM article_search JOIN article ON article.id=article_search.rowid
      WHERE article_search MATCH ? ORDER BY article_search.rank LIMIT ?
      """)
    defer { sqlite3_reset(statement) }
    var expression = expression
    return try expression.withUTF8 { expression in
      try bind(statement, 1, expression)
      try check(sqlite3_bind_int64(statement, 2, Int64(limit)))
      var texts: [String] = []
      while true {
        let code = sqlite3_step(statement)
        guard code == SQLITE_ROW else {
          try check(code)
          return texts
        }
        texts.append(text(statement, 0))
      }
    }
  }
}
