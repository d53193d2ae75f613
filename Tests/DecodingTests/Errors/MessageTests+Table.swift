import Decoding
import Foundation

extension MessageTests {
  static let malformed: [BrokenInput] = [
    .ours(
      Person.self, "",
      "$: not JSON: the body is empty at line 1, column 1 (byte 0)"),
    .ours(
      Person.self, " \n",
      "$: not JSON: the body is blank at line 2, column 1 (byte 2)"),
    .ours(
      Person.self, "<!DOCTYPE html>\n<html>",
      "$: not JSON: it looks like HTML or XML at line 1, column 1 (byte 0)"),
    .ours(
      Person.self, "<?xml version='1.0'?>",
      "$: not JSON: it looks like HTML or XML at line 1, column 1 (byte 0)"),
    .ours(
      Person.self, "Bad gateway",
      "$: not JSON: expected a value, found a letter at line 1, column 1 (byte 0)"),
    .converted(
      Person.self, "",
      "$: not JSON: the body is empty at line 1, column 1 (byte 0)"),
    .converted(
      Person.self, "<html><body>502</body></html>",
      "$: not JSON: it looks like HTML or XML at line 1, column 1 (byte 0)"),
    .ours(
      Person.self, #"{"name": "A", "age": 1,}"#,
      "$: not JSON: expected a name in double quotes, found `}` at line 1, column 24 (byte 23)"),
    .ours(
      Person.self, #"{"name": "A" "age": 1}"#,
      #"$: not JSON: expected `,` or `}`, found `"` at line 1, column 14 (byte 13)"#),
    .ours(
      Person.self, #"{"name": "A", "age" 1}"#,
      "$: not JSON: expected `:` after a name, found a digit at line 1, column 21 (byte 20)"),
    .ours(
      Person.self, #"{'name': "A"}"#,
      "$: not JSON: expected a name in double quotes, found `'` at line 1, column 2 (byte 1)"),
    .ours(
      Person.self, #"{"name": "A", "age": 01}"#,
      "$['age']: not JSON: invalid number, found a digit at line 1, column 23 (byte 22)"),
    .ours(
      Person.self, #"{"name": "A", "age": 1, "tags": ["x", tru]}"#,
      "$['tags'][1]: not JSON: expected true, false or null, found `]` at line 1, column 42 (byte 41)"),
    .ours(
      Person.self, #"{"name": "A\q"}"#,
      "$['name']: not JSON: invalid escape sequence, found a letter at line 1, column 13 (byte 12)"),
    .ours(
      Person.self, "{\"name\": \"A\tB\"}",
      "$['name']: not JSON: a control character in a string must be escaped, found a tab at line 1, column 12 (byte 11)"
    ),
    .ours(
      Person.self, #"{"name": "A", "age": 1, "tags": ["x""#,
      "$['tags']: not JSON: the document ends too early at line 1, column 37 (byte 36)"),
    .ours(
      Person.self, #"{"name": "A", "age": 1} {}"#,
      "$: not JSON: expected the end of the document, found `{` at line 1, column 25 (byte 24)"),
    .ours(
      [Int].self, "[1]\u{FEFF}",
      "$: not JSON: expected the end of the document, found a byte order mark at line 1, column 4 (byte 3)"),
    .ours(
      [Double].self, "[1, NaN]",
      "$[1]: not JSON: expected a value, found a letter at line 1, column 5 (byte 4)"),
  ]

  static let kinds: [BrokenInput] = [
    .ours(
      Person.self, #"{"nmae": "A", "age": 1}"#,
      "$['name']: missing; the object has `nmae`, `age` at line 1, column 1 (byte 0)"),
    .ours(
      Person.self, #"{"name": null, "age": 1}"#,
      "$['name']: expected String, found null at line 1, column 10 (byte 9)"),
    .ours(
      Person.self, #"{"name": "A", "age": "1"}"#,
      "$['age']: expected UInt8, found a string at line 1, column 22 (byte 21)"),
    .ours(
      Person.self, "[1]",
      "$: expected an object, found an array at line 1, column 1 (byte 0)"),
    .ours(
      Person.self, #"{"name": "A", "age": 1, "tags": {}}"#,
      "$['tags']: expected an array, found an object at line 1, column 33 (byte 32)"),
    .ours(
      [Pair].self, "[[1, true]]",
      "$[0][1]: expected Int, found a boolean at line 1, column 6 (byte 5)"),
    .converted(
      [Person].self, #"[{"name": "A", "age": 1}, {"name": "B"}]"#,
      "$[1]['age']: missing; the object has `name` at line 1, column 27 (byte 26)"),
    .ours(
      Snake<Int>.self, #"{"item_count": "7"}"#,
      "$['item_count']: expected Int, found a string at line 1, column 16 (byte 15)"
    ) { $0.keyDecodingStrategy = .convertFromSnakeCase },
    .ours(
      Snake<Int>.self, #"{"items": 7}"#,
      "$['item_count']: missing; the object has `items` at line 1, column 1 (byte 0)"
    ) { $0.keyDecodingStrategy = .convertFromSnakeCase },
    .converted(
      Snake<Int>.self, #"{"items": 7}"#,
      "$['item_count']: missing; the object has `items` at line 1, column 1 (byte 0)"
    ) { $0.keyDecodingStrategy = .convertFromSnakeCase },
  ]

  /// A name is at fault, or has another form in the document than in the type.
  static let names: [BrokenInput] = [
    .ours(
      [Key: Int].self, #"{"low":1,"zzz":2}"#,
      "$['zzz']: expected a name that Key accepts, found `zzz` at line 1, column 11 (byte 10)"),
    .converted(
      [Key: Int].self, #"{"zzz":1}"#,
      "$['zzz']: expected a name that Key accepts, found `zzz` at line 1, column 3 (byte 2)"),
    .ours(
      One<[Int: String]>.self, #"{"value":{"1":"a","zzz":"b"}}"#,
      "$['value']['zzz']: expected a name that Int accepts, found `zzz` at line 1, column 20 (byte 19)"),
    .converted(
      One<[Int: String]>.self, #"{"value":{"zzz":"b"}}"#,
      "$['value']['zzz']: expected a name that Int accepts, found `zzz` at line 1, column 12 (byte 11)"),
    .ours(
      Numbered.self, #"{"tz":{"zone":1,"offset":"x"}}"#,
      "$['tz']['offset']: expected Int, found a string at line 1, column 26 (byte 25)"),
    .ours(
      Numbered.self, #"{"tz":{"offset":1}}"#,
      "$['tz']['zone']: missing; the object has `offset` at line 1, column 7 (byte 6)"),
    .converted(
      Numbered.self, #"{"tz":{"offset":1}}"#,
      "$['tz']['zone']: missing; the object has `offset` at line 1, column 7 (byte 6)"),
    .ours(
      Numbered.Zone.self, #"{"item_zone":1}"#,
      "$['zone']: missing; the object has `item_zone` at line 1, column 1 (byte 0)"
    ) { $0.keyDecodingStrategy = .convertFromSnakeCase },
    .ours(
      Paths.self, #"{"volume_info":{"page_count":7}}"#,
      "$['volume_info']: missing; the object has `volume_info`, but the decoder converts the names at line 1, column 1 (byte 0)"
    ) { $0.keyDecodingStrategy = .convertFromSnakeCase },
    .converted(
      Paths.self, #"{"x":1,"volume_info":{"page_count":7}}"#,
      """
      $['volume_info']: missing; the object has `x`, `volume_info`, but the decoder converts the names \
      at line 1, column 1 (byte 0)
      """
    ) { $0.keyDecodingStrategy = .convertFromSnakeCase },
    .ours(
      Nested<Int>.self, #"{"a":{"B":7}}"#,
      "$['a']['b']: missing; the object has `B` at line 1, column 6 (byte 5)"
    ) { $0.keyDecodingStrategy = .convertFromSnakeCase },
    .ours(
      Converted.self, #"{"volume_info":{"page_count":7}}"#,
      """
      $['volume_info']['page_count']: missing; the object has `page_count`, but the decoder converts the names \
      at line 1, column 16 (byte 15)
      """
    ) { $0.keyDecodingStrategy = .convertFromSnakeCase },
    .ours(
      Converted.self, #"{"volume_info":{"pageCount":7}}"#,
      "$['volume_info']['page_count']: missing; the object has `pageCount` at line 1, column 16 (byte 15)"
    ) { $0.keyDecodingStrategy = .convertFromSnakeCase },
  ]

  static let invalid: [BrokenInput] = [
    .ours(
      Person.self, #"{"name": "A", "age": 300}"#,
      "$['age']: expected a number that fits UInt8, found another number at line 1, column 22 (byte 21)"),
    .ours(
      [Int].self, "[1, 1.5]",
      "$[1]: expected a number that fits Int, found another number at line 1, column 5 (byte 4)"),
    .ours(
      [Double].self, "[1e999]",
      "$[0]: expected a number that fits Double, found another number at line 1, column 2 (byte 1)"),
    .converted(
      Person.self, #"{"name": "A", "age": 300}"#,
      "$: expected numbers that fit their types and valid Unicode strings at line 1, column 1 (byte 0)"),
    .foundation(
      Person.self, #"{"name": "A", "age": 300}"#,
      "$['age']: expected a number that fits UInt8, found another number at line 1, column 22 (byte 21)"),
    .ours(
      Person.self, #"{"name": "A", "age": 1, "role": "owner"}"#,
      "$['role']: expected one of admin, user, guest, found another string at line 1, column 33 (byte 32)"),
    .foundation(
      [Role].self, #"["admin", "owner"]"#,
      "$[1]: expected one of admin, user, guest, found another string at line 1, column 11 (byte 10)"),
    .converted(
      [Role].self, #"["admin", "owner"]"#,
      "$[1]: expected a raw value of Role, found another string at line 1, column 11 (byte 10)"),
    .ours(
      [Level].self, "[3]",
      "$[0]: expected a raw value of Level, found another number at line 1, column 2 (byte 1)"),
    .ours(
      [Shape].self, #"[{"square": {}}]"#,
      "$[0]: expected Shape, found an object at line 1, column 2 (byte 1)"),
    .ours(
      [String].self, #"["\ud800"]"#,
      "$[0]: expected a valid Unicode string, found another string at line 1, column 2 (byte 1)"),
    .ours(
      One<URL>.self, #"{"value": ""}"#,
      "$['value']: expected a URL, found another string at line 1, column 11 (byte 10)"),
    .converted(
      One<URL>.self, #"{"value": ""}"#,
      "$['value']: expected a URL, found another string at line 1, column 11 (byte 10)"),
    .ours(
      One<UUID>.self, #"{"value": "1-2"}"#,
      "$['value']: expected a UUID, found another string at line 1, column 11 (byte 10)"),
    .ours(
      One<Data>.self, #"{"value": "?"}"#,
      "$['value']: expected Base64 data, found another string at line 1, column 11 (byte 10)"),
    .ours(
      One<Date>.self, #"{"value": "today"}"#,
      "$['value']: expected an ISO 8601 date, found another string at line 1, column 11 (byte 10)"
    ) { $0.dateDecodingStrategy = .iso8601 },
    .converted(
      One<Date>.self, #"{"value": "today"}"#,
      "$: expected an ISO 8601 date at line 1, column 1 (byte 0)"
    ) { $0.dateDecodingStrategy = .iso8601 },
  ]

  static let strategies: [BrokenInput] = [
    .ours(
      Released.self, #"{"released": "today"}"#,
      "$['released']: expected a date in the format yyyy-MM-dd, found another string at line 1, column 14 (byte 13)"),
    .foundation(
      Pages.self, #"{"pages": "many"}"#,
      "$['pages']: expected a number or a string that contains one, found another string at line 1, column 11 (byte 10)"
    ),
    .ours(
      Nested<UInt8>.self, #"{"a": {"b": 300}}"#,
      "$['a']['b']: expected a number that fits UInt8, found another number at line 1, column 13 (byte 12)"),
    .converted(
      Nested<UInt8>.self, #"{"a": {"b": 300}}"#,
      "$['a']['b']: expected a number that fits UInt8, found another number at line 1, column 13 (byte 12)"),
    .converted(
      Nested<Role>.self, #"{"a": {"b": "owner"}}"#,
      "$['a']['b']: expected one of admin, user, guest, found another string at line 1, column 13 (byte 12)"),
    .converted(
      Nested<Date>.self, #"{"a": {"b": "today"}}"#,
      "$['a']['b']: expected an ISO 8601 date, found another string at line 1, column 13 (byte 12)"
    ) { $0.dateDecodingStrategy = .iso8601 },
  ]

  static let paths: [BrokenInput] = [
    .ours(
      Filtered.self, #"{"ids": [{"type": "ISBN_10", "id": "1"}]}"#,
      "$['ids'][?@['type']=='ISBN_13']['id']: the path selects nothing at line 1, column 1 (byte 0)"),
    .converted(
      Filtered.self, #"{"ids": []}"#,
      "$['ids'][?@['type']=='ISBN_13']['id']: the path selects nothing at line 1, column 1 (byte 0)"),
    .document(
      Int.self, #"{"a": [1]}"#, at: "a[?@>1]",
      "$['a'][?@>1]: the path selects nothing"),
    .document(
      Int.self, #"{"a": [1]}"#, at: "a[1]",
      "$['a'][1]: missing at line 1, column 7 (byte 6)"),
    .document(
      Int.self, #"{"a": [1]}"#, at: "a.b",
      "$['a']: expected an object, found an array at line 1, column 7 (byte 6)"),
    .foundation(
      Int.self, #"{"a": {"c": 1}}"#, at: "a.b",
      "$['a']['b']: missing; the object has `c` at line 1, column 7 (byte 6)"),
  ]

  static let thrown: [BrokenInput] = [
    .ours(
      One<[Pair]>.self, #"{"value": [[1, 2], [3]]}"#,
      "$['value'][1]: decoding Pair threw OddCount at line 1, column 20 (byte 19)"),
    .foundation(
      [Pair].self, #"{"value": [[1, 2], [3]]}"#, at: "value",
      "$['value'][1]: decoding Pair threw OddCount at line 1, column 20 (byte 19)"),
    .ours(
      One<Refusing>.self, #"{"value": "hunter2"}"#,
      "$['value']: a string that the type does not accept at line 1, column 11 (byte 10)"),
    .ours(
      One<Misleading>.self, #"{"value": 1}"#,
      "$['value']: decoding Misleading threw JSONError at line 1, column 11 (byte 10)"),
    .converted(
      One<Misleading>.self, #"{"value": 1}"#,
      "$: decoding a type threw JSONError at line 1, column 1 (byte 0)"),
  ]
}
