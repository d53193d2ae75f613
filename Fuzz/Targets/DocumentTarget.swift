import Foundation

@Sendable func fuzzDocument(_ input: [UInt8]) {
  let data = Data(input)
  let document = JSONDocument(data)
  _ = try? JSONDocument(data, validation: .trusted).decode(Ignored.self)
  _ = try? JSONDocument(data, validation: .trusted).values(AnyValue.self, at: "$[0]")
  let theirs = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
  do throws(LocatedDecodingError) {
    let whole = try document.decode(AnyValue.self)
    // Numbers that Foundation's parser has no room for are grammar all the same; it is asked for the structure only.
    guard theirs != nil || input.contains(0x65) || input.contains(0x45) || isWide(input) else {
      found("accepted, but not by JSONSerialization")
    }
    compare(whole, document, "$", depth: 0)
  } catch {
    _ = error.debugDescription
    guard let position = error.position else { found("refused without a place: \(error)") }
    guard position.offset <= data.asUTF8.count, position.line >= 1, position.column >= 1 else {
      found("refused at no place: \(error)")
    }
  }
}

/// Every value in the tree is the one that its path leads to, alone and together with a neighbour.
private func compare(_ value: AnyValue, _ document: JSONDocument, _ path: String, depth: Int) {
  guard depth < 4 else { return }
  switch value {
  case .object(let members):
    for (name, member) in members.prefix(4) {
      let child = path + JSONPath(CompiledPath(steps: [.name(ByteString(name))])).description.dropFirst()
      check(member, document, child)
      compare(member, document, child, depth: depth + 1)
    }
  case .array(let elements):
    for (index, element) in elements.enumerated().prefix(4) {
      check(element, document, "\(path)[\(index)]")
      check(element, document, "\(path)[\(index - elements.count)]")
      compare(element, document, "\(path)[\(index)]", depth: depth + 1)
    }
  default: break
  }
}

private func check(_ value: AnyValue, _ document: JSONDocument, _ path: String) {
  do {
    let path = try JSONPath(parsing: path)
    let alone = try document.decode(AnyValue.self, at: path)
    let missing = try document.decodeIfPresent(Int.self, at: "['no such name anywhere']")
    guard alone == value, missing == nil else { found("\(path) is \(alone), not \(value)") }
  } catch let error as LocatedDecodingError where error.path == .root && error.kind == .mismatch {
    return  // the root is no object
  } catch {
    found("\(path): \(error)")
  }
}

/// Whether the text may be in UTF-16 or UTF-32, which is told apart differently.
func isWide(_ input: [UInt8]) -> Bool { input.prefix(4).contains { $0 == 0 || $0 >= 0xEF } }
