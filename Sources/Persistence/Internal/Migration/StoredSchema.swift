internal import Foundation

/// The tables of a store as a value: what a store file says about itself, and what a schema wants.
///
/// The file keeps it as JSON with sorted keys in the row `schema` of `_larder_meta`:
///
///     {"format":2, "version":2, "tables":[ {"name":"Film",
///     "columns":[{"name":"title","type":"TEXT","isOptional":false},
///     {"name":"director","type":"INTEGER","isOptional":true,"references":"Director"},
///     {"name":"_order_films","type":"INTEGER","isOptional":true,"orders":{"table":"Director","property":"films"}}],
///     "indexes":[{"name":"Film.director.","columns":["director"],"isUnique":false}]},
///     {"name":"FamilyMember.movies+Movie.familyMembers", "sides":[…], "columns":[…], "indexes":[…]}]}
///
/// `_id` and `_version`, which every class's table has, are not listed. Defaults are no part of it: they are the
/// program's and may differ from one start to the next.
struct StoredSchema: Hashable, Sendable {
  /// The program's.
  var version: Int
  /// In the order of their names.
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

  /// nil if the text is none of this format.
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
      throw DecodingError.dataCorruptedError(forKey: .format, in: container, debugDescription: "another format")
    }
    self.init(
      version: try container.decode(Int.self, forKey: .version),
      tables: try container.decode([StoredTable].self, forKey: .tables))
  }
}

/// The table of a class, or of the pairs of a many-to-many relationship.
struct StoredTable: Hashable, Decodable, Sendable {
  var name: String
  /// The two sides of a table of pairs, in the order of its columns; nil for a class.
  var sides: [StoredSide]?
  var columns: [StoredColumn]
  var indexes: [StoredIndex]

  var isJoin: Bool { sides != nil }

  func column(_ name: String) -> StoredColumn? { columns.first { $0.name == name } }

  func index(like other: StoredIndex) -> StoredIndex? {
    indexes.first { $0.columns == other.columns && $0.isUnique == other.isUnique }
  }
}

struct StoredColumn: Hashable, Decodable, Sendable {
  var name: String
  /// As SQLite names it.
  var type: String
  var isOptional: Bool
  /// The table whose rows it leads to.
  var references: String?
  /// The ordered relationship in which it holds a row's place.
  var orders: StoredSide?
  /// The column whose values it holds in a form to compare and sort by.
  var sorts: String?

  /// Whether a class has it as an attribute or a to-one relationship.
  var isProperty: Bool { orders == nil && sorts == nil }
}

struct StoredIndex: Hashable, Decodable, Sendable {
  var name: String
  var columns: [String]
  var isUnique: Bool
}

/// A relationship, by class and property.
struct StoredSide: Hashable, Decodable, Sendable {
  var table: String
  var property: String

  var path: String { "\(table).\(property)" }
}
