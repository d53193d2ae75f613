/// The way to a field in the JSON of a column.
struct FieldPath: Hashable, Decodable, Sendable {
  /// How a query reads the member.
  enum Form: Int, Sendable {
    /// Text, an integer or a Boolean.
    case plain
    /// A floating-point number, also if the JSON has no fraction.
    case real
    /// The JSON of another value.
    case json
  }

  var names: [String]
  /// The raw value of the field's ``Form``.
  var form: Int

  /// The names as a JSON Pointer (RFC 6901) without the first slash.
  var pointer: String { names.map(FieldPath.escaped).joined(separator: "/") }

  /// By scalars, because a slash with a combining mark is one `Character`, which is not equal to a slash.
  private static func escaped(_ name: String) -> String {
    name.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "~": result += "~0"
      case "/": result += "~1"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }

  /// The SQL of the field in some JSON.
  func sql(of json: String) -> String {
    names.enumerated().reduce(json) { json, step in
      let isLast = step.offset == names.count - 1
      let name = StoredValue.text(step.element).literal ?? "NULL"
      return "\(FieldFunction.name)(\(json),\(name),\(isLast ? form : Form.json.rawValue))"
    }
  }
}

extension SQL {
  /// The column for a field of an attribute's JSON. The attribute's own column is escaped as well: `a/b` with the field
  /// `c` is not `a` with the field `b/c`.
  static func field(_ path: FieldPath, of column: String) -> String {
    fieldPrefix + FieldPath(names: [column] + path.names, form: path.form).pointer
  }
}
