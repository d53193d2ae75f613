internal import Foundation

/// A document, and the part of it that a decoder was given, for finding out what an error is about.
struct DocumentBytes {
  let bytes: UnsafeRawBufferPointer
  /// Where the part starts, and the steps that lead to it.
  var base = 0
  var baseSteps: [PathStep] = []
  /// How many keys of a coding path lead to the part; a part of a whole decode has some.
  var baseKeyCount = 0
  var keys: KeyMatching
  /// The nesting that the decoder accepts.
  var depthLimit = ByteReader.maximumDepth
  /// The decoder's error, where all that is before it was checked.
  var fault: JSONSyntaxError?
  /// Where the error that is made into a failure was thrown, if that is known.
  var thrown: ThrownPlace?
  /// Where many failures are about one document.
  var positions: PositionIndex?
  /// Whether the bytes are at hand and in a notation that the scanner knows.
  var isReadable = true

  init(_ bytes: UnsafeRawBufferPointer, keys: JSONDecoder.KeyDecodingStrategy) {
    self.bytes = bytes
    self.keys = KeyMatching(strategy: keys)
  }

  static var unreadable: DocumentBytes {
    var document = DocumentBytes(UnsafeRawBufferPointer(start: nil, count: 0), keys: .useDefaultKeys)
    document.isReadable = false
    return document
  }

  var text: ByteView { ByteView(bytes) }

  /// What is wrong with the document first, even where only a later part was being read; nil where it is JSON.
  func findSyntaxError() -> SyntaxErrorSearch? {
    guard isReadable else { return nil }
    return fault.map { SyntaxErrorSearch(text, known: $0) } ?? SyntaxErrorSearch(text, depthLimit: depthLimit)
  }

  /// How far a coding path leads into the bytes.
  struct Trail {
    /// The steps from the document's root in its own names, followed by those that lead to nothing.
    var steps: [PathStep]
    /// Where the last value reached starts, and its kind.
    var offset: Int
    var kind: ValueKind?
    var isComplete = true
  }

  /// Follows a decoder's coding path from the part that it was given.
  func follow(_ codingPath: [any CodingKey]) -> Trail {
    let codingPath = Array(codingPath.dropFirst(baseKeyCount))
    var trail = Trail(steps: baseSteps, offset: base)
    trail.steps.reserveCapacity(baseSteps.count + codingPath.count)
    guard isReadable else {
      trail.steps += codingPath.map(PathStep.init)
      return trail
    }
    JSONScanner.scanning(text, depthLimit: depthLimit) { scanner in
      var value = text.skipSpace(base)
      for index in codingPath.indices {
        if let kind = scanner.kind(at: value) {
          (trail.kind, trail.offset) = (kind, value)
          let path = codingPath[..<index]
          if let (step, child) = enter(
            codingPath[index], of: value, kind, after: path, depth: trail.steps.count, scanner)
          {
            trail.steps.append(step)
            value = child
            continue
          }
        }
        // There is no such value, or the text is malformed: the trail ends at the last value that could be read.
        trail.isComplete = false
        trail.steps += codingPath[index...].map(keys.step)
        return
      }
      if let kind = scanner.kind(at: value) {
        (trail.kind, trail.offset) = (kind, value)
      } else {
        trail.isComplete = false
      }
    }
    return trail
  }

  /// The step that a key takes from a value, and where it leads to.
  private func enter(
    _ key: any CodingKey, of value: Int, _ kind: ValueKind, after codingPath: ArraySlice<any CodingKey>, depth: Int,
    _ scanner: JSONScanner
  ) -> (PathStep, Int)? {
    switch kind {
    case .object:
      let name = ByteString(key.stringValue)
      // Dictionaries have the document's own names.
      var own: Int?
      var members = MemberCursor(scanner: scanner, object: value, depth: depth + 1)
      while members.next() {
        if own == nil, name.utf8.withUnsafeBytes({ members.nameMatches(ByteView($0)) }) {
          own = members.value
          if !keys.convertsNames { break }
        }
        // The first name that is presented as the key counts, though another one may be the key itself.
        if keys.convertsNames, let text = members.name, keys.presents(text, as: key, in: Array(codingPath)) {
          return (.name(ByteString(text)), members.value)
        }
      }
      return own.map { (.name(name), $0) }
    case .array:
      guard let index = key.intValue else { return nil }
      let element = scanner.element(index, of: value, depth: depth + 1)
      return element < 0 ? nil : (.index(index), element)
    case .string, .number, .boolean, .null: return nil
    }
  }

  /// The names in the object at an offset, in their order, as far as they can be read.
  func names(inObjectAt offset: Int) -> [String] {
    guard isReadable else { return [] }
    return JSONScanner.scanning(text, depthLimit: depthLimit) { scanner in
      let object = text.skipSpace(offset)
      guard scanner.kind(at: object) == .object else { return [] }
      var names: [String] = []
      var members = MemberCursor(scanner: scanner, object: object, depth: 1)
      while names.count < ByteView.siblingLimit, members.next() {
        let start = members.nameStart
        names.append(text.shortName(start, start + members.nameLength, isEscaped: members.isEscaped))
      }
      return names
    }
  }
}
