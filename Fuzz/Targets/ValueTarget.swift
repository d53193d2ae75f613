import Foundation

@Sendable func fuzzValue(_ input: [UInt8]) {
  let data = Data(input)
  guard let value = try? JSONBytesDecoder().decode(JSONValue.self, from: data) else {
    if (try? JSONValue(parsing: String(decoding: input, as: UTF8.self))) != nil, isUTF8(input) {
      found("parsed from text, but not decoded")
    }
    return
  }
  checkCoding(value)
  checkParts(value, data)
}

/// However a value is written, it is read as the same one.
private func checkCoding(_ value: JSONValue) {
  let encoder = JSONBytesEncoder()
  expect(value, decoded(encoder.encode, value), "encoded")
  encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
  let pretty = decoded(encoder.encode, value)
  expect(value, pretty, "pretty")
  expect(value, decoded(\.data, value), "as text")
  if pretty?.hashValue != value.hashValue { found("equal values with two hashes") }
}

/// Raw JSON and nodes are the document's values.
private func checkParts(_ value: JSONValue, _ data: Data) {
  do {
    let raw = try JSONBytesDecoder().decode(RawJSON.self, from: data)
    expect(value, try raw.decode(JSONValue.self), "raw")
    expect(
      value, try JSONBytesDecoder().decode(JSONValue.self, from: JSONBytesEncoder().encode(raw)),
      "encoded from raw")
    let document = JSONDocument(data)
    let nodes = try document.nodes(at: "$..*")
    // Of members with the same name, a path leads to the first one.
    guard nodes.count == descendants(of: value) else { return }
    for node in nodes.prefix(50) {
      let part = try document.decode(JSONValue.self, at: node.path)
      expect(part, try node.decode(JSONValue.self), "node \(node.path)")
      expect(part, try node.raw.decode(JSONValue.self), "raw node \(node.path)")
    }
  } catch {
    found("a value that was decoded once: \(error)")
  }
}

private func descendants(of value: JSONValue) -> Int {
  (value.array.map { Array($0) } ?? value.object.map { $0.map(\.value) } ?? []).reduce(0) {
    $0 + 1 + descendants(of: $1)
  }
}

private func decoded(_ encode: (JSONValue) throws -> Data, _ value: JSONValue) -> JSONValue? {
  try? JSONBytesDecoder().decode(JSONValue.self, from: encode(value))
}

private func expect(_ value: JSONValue, _ other: JSONValue?, _ what: String) {
  if value != other { found("\(what): \(other?.description ?? "nothing") is not \(value)") }
}

private func isUTF8(_ input: [UInt8]) -> Bool { String(validating: input, as: UTF8.self) != nil && !isWide(input) }
