import Foundation

@Sendable func fuzzDecoder(_ input: [UInt8]) {
  let data = Data(input)
  let ours = JSONBytesDecoder()
  let read = Result { try ours.decode(AnyValue.self, from: data) }
  if case .success = read, (try? ours.decode(Ignored.self, from: data)) == nil {
    found("read, but refused when passed over")
  }
  _ = try? ours.decode([[Double]].self, from: data)
  _ = try? ours.decode([Int].self, from: data)
  _ = try? ours.decode([String: String].self, from: data)
  _ = try? ours.decode([Decimal].self, from: data)
  ours.keyDecodingStrategy = .convertFromSnakeCase
  _ = try? ours.decode(AnyValue.self, from: data)
  ours.validation = .trusted
  _ = try? ours.decode(Ignored.self, from: data)
  _ = try? ours.decode([String: AnyValue].self, from: data)

  // Foundation's decoder recurses to its limit, which the sanitizer's large frames do not survive.
  guard input.reduce(0, { $0 + ($1 | 0x20 == 0x7B ? 1 : 0) }) < 200 else { return }
  let theirs = Result { try JSONDecoder().decode(AnyValue.self, from: data) }
  switch (read, theirs) {
  case (.success(let read), .success(let theirs)) where read != theirs && !isKnownDifference(input):
    found("\(read) is not \(theirs)")
  case (.success, .failure) where !isKnownDifference(input):
    found("accepted, but not by JSONDecoder")
  case (.failure(let error), .success) where !isKnownDifference(input) && !hasTrailingComma(input):
    found("accepted by JSONDecoder: \(error)")
  default: break
  }
  // Plain paths are answered without the containers that Foundation's decoder is asked for.
  guard case .success = read, !isKnownDifference(input) else { return }
  let nested = try? JSONBytesDecoder().decode(Nested.self, from: data)
  let theirNested = try? JSONDecoder().decode(Nested.self, from: data)
  guard nested == theirNested else { found("nested: \(nested?.found ?? []) is not \(theirNested?.found ?? [])") }
}

/// What paths find, whether they are there or not.
private struct Nested: Decodable, Equatable {
  enum Found: Equatable {
    case missing, null, invalid
    case value(AnyValue)
  }

  private static let paths: [JSONPath] = ["a", "a.b", "b.a", "a[0].b", "a[?@.b=='c'].a", "a.b[?@.a=='']['']", "b"]

  var found: [Found]

  init(from decoder: any Decoder) throws {
    let json = try decoder.nested()
    found = Self.paths.map { path in
      switch json.field(AnyValue.self, at: path) {
      case .missing: .missing
      case .null: .null
      case .value(let value): .value(value)
      case .invalid: .invalid
      }
    }
  }
}

/// Numbers with exponents, long numbers, names outside ASCII and other encodings: see the table of differences.
private func isKnownDifference(_ input: [UInt8]) -> Bool {
  isWide(input) || input.contains { $0 >= 0x80 || $0 == 0x45 || $0 == 0x65 || $0 == 0x5C || $0 == 0x2E }
    || input.split(whereSeparator: { !(0x30...0x39).contains($0) }).contains { $0.count > 15 }
}

private func hasTrailingComma(_ input: [UInt8]) -> Bool {
  var isBehindComma = false
  for byte in input {
    if isBehindComma, byte == 0x5D || byte == 0x7D { return true }
    if !isJSONSpace(byte) { isBehindComma = byte == 0x2C }
  }
  return false
}
