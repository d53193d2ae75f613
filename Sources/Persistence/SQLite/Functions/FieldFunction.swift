internal import CLarderSQLite

/// `larder_field(json, name, form)`: a member of a JSON object, see ``JSONMember``.
///
/// SQLite's own `json_extract` ends a text at a NUL, and on some processors does not find the nearest number for all
/// digits. Nor can an index contain it: libraries from 3.38 to 3.40 refuse it in a schema that is not trusted.
enum FieldFunction {
  static let name = "larder_field"

  static func register(on database: OpaquePointer) throws(PersistenceError) {
    try SQLFunction.register(name, arguments: 3, on: database) { context, _, values in
      guard let context, let json = SQLFunction.text(values, 0), let name = SQLFunction.text(values, 1),
        let form = FieldPath.Form(rawValue: Int(sqlite3_value_int(values?[2])))
      else { return sqlite3_result_null(context) }
      _ = FunctionResult(context: context).put(JSONMember.value(name, in: json, form))
    }
  }
}
