internal import Foundation

/// The tables of a store as a value: those that a store file describes, or those that a schema requires.
///
/// The file contains it as JSON with sorted keys, in the row `schema` of `_larder_meta`:
///
///     {"format":2, "version":2, "tables":[ {"name":"Film",
///     "columns":[{"name":"title","type":"TEXT","isOptional":false},
///     {"name":"director","type":"INTEGER","isOptional":true,"references":"Director"},
///     {"name":"_order_films","type":"INTEGER","isOptional":true,"orders":{"table":"Director","property":"films"}}],
///     "indexes":[{"name":"Film.director.","columns":["director"],"isUnique":false}], "search":["title"]},
///     {"name":"FamilyMember.movies+Movie.familyMembers", "sides":[…], "columns":[…], "indexes":[…]}]}
///
/// Only what there is has its member: `search` a full-text index, a ``SearchTable``; `folds` of a column the name of
/// the one whose folded texts it contains, `extracts` the field of JSON; `where` of an index the condition of its rows,
/// `"\"isDone\" = (0)"`. `_id` and `_version`, which the table of every
/// class has, are not listed. Neither are defaults: they belong to the program and may differ from one launch to the
/// next.
struct StoredSchema: Hashable, Sendable {
  /// The program's version of the schema.
  var version: Int
  /// Sorted by name.
  var tables: [StoredTable]

  static let format = 2

  init(version: Int, tables: [StoredTable]) {
    self.version = version
    self.tables = tables.sorted { $0.name < $1.name }
  }

  func table(_ name: String) -> StoredTable? { tables.first { $0.name == name } }

  mutating func replace(_ name: String, with table: StoredTable?) {
    tables.removeAll { $0.name == name }
    if let table { tables.append(table) }
    tables.sort { $0.name < $1.name }
  }

  /// Returns nil if the text is not in this format.
  init?(text: String) {
    guard let schema = try? JSONDecoder().decode(StoredSchema.self, from: Data(text.utf8)) else { return nil }
    self = schema
  }
}

extension StoredSchema: Decodable {
  private enum CodingKeys: String, CodingKey { case format, version, tables }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    guard try container.decode(Int.self, forKey: .format) == Self.format else {
      throw DecodingError.dataCorruptedError(forKey: .format, in: container, debugDescription: "unsupported format")
    }
    self.init(
      version: try container.decode(Int.self, forKey: .version),
      tables: try container.decode([StoredTable].self, forKey: .tables))
  }
}

/// The table of a class, or the join table of a many-to-many relationship.
struct StoredTable: Hashable, Sendable {
  var name: String
  /// The two sides of a join table, in the order of its columns. Nil for a class.
  var sides: [StoredSide]?
  var columns: [StoredColumn]
  var indexes: [StoredIndex]
  /// The columns of the full-text index, sorted by name. Empty if there is none.
  var search: [String] = []

  var isJoin: Bool { sides != nil }

  func column(_ name: String) -> StoredColumn? { columns.first { $0.name == name } }

  func index(like other: StoredIndex) -> StoredIndex? {
    indexes.first { $0.isLike(other) }
  }
}

extension StoredTable: Decodable {
  private enum CodingKeys: String, CodingKey { case name, sides, columns, indexes, search }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      name: try container.decode(String.self, forKey: .name),
      sides: try container.decodeIfPresent([StoredSide].self, forKey: .sides),
      columns: try container.decode([StoredColumn].self, forKey: .columns),
      indexes: try container.decode([StoredIndex].self, forKey: .indexes),
      search: try container.decodeIfPresent([String].self, forKey: .search) ?? [])
  }
}

struct StoredColumn: Hashable, Decodable, Sendable {
  var name: String
  /// The type as SQLite names it.
  var type: String
  var isOptional: Bool
  /// The table that the column refers to, for a foreign key.
  var references: String?
  /// The ordered relationship whose positions the column contains.
  var orders: StoredSide?
  /// The column for which this one contains the sort keys.
  var sorts: String?
  /// The column whose texts this one contains in their folded form. It is optional, so that other programs and
  /// migration steps can insert rows without it.
  var folds: String?
  /// The field of another column's JSON that this one contains. It is optional for the same reason.
  var extracts: StoredExtract?

  /// Whether the column is an attribute or a to-one relationship of a class.
  var isProperty: Bool { orders == nil && sorts == nil && source == nil }

  /// The column from which this one is calculated, apart from sort keys.
  var source: String? { folds ?? extracts?.column }
}

struct StoredExtract: Hashable, Decodable, Sendable {
  var column: String
  var form: Int
  var names: [String]

  var path: FieldPath { FieldPath(names: names, form: form) }
}

struct StoredIndex: Hashable, Decodable, Sendable {
  var name: String
  var columns: [String]
  var isUnique: Bool
  /// SQL that is true for the rows that the index contains. nil for all rows.
  var `where`: String?

  /// The columns and those of the condition.
  var allColumns: [String] { columns + (`where`.map { SQL.names(in: $0) } ?? []) }

  mutating func rename(_ column: String, to new: String) {
    columns = columns.map { $0 == column ? new : $0 }
    `where` = `where`.map { SQL.renaming(column, to: new, in: $0) }
  }

  func isLike(_ other: StoredIndex) -> Bool {
    guard columns == other.columns, isUnique == other.isUnique else { return false }
    guard let `where`, let second = other.where else { return `where` == nil && other.where == nil }
    return `where`.hasSameBytes(as: second)
  }
}

/// A relationship, identified by class and property.
struct StoredSide: Hashable, Decodable, Sendable {
  var table: String
  var property: String

  var path: String { "\(table).\(property)" }
}
