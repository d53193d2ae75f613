internal import Foundation

/// A document and the part of it that a decoder received, for finding the details of an error.
struct DocumentBytes {
  let text: ByteView
  /// The start of the part, and the steps that lead to it.
  var base = 0
  var baseSteps: [PathStep] = []
  /// The number of keys of a coding path that lead to the part; nonzero for a part of a whole decode.
  var baseKeyCount = 0
  var keys: JSONDecoder.KeyDecodingStrategy
  /// The maximum nesting depth that the decoder accepts, by default that of Foundation's decoder.
  var depthLimit = 512
  /// The decoder's error, if everything before it has been validated.
  var fault: JSONSyntaxError?
  /// The location at which the underlying error was thrown, if known.
  var thrown: ThrownPlace?
  /// A shared index of positions, for many failures about one document.
  var positions: PositionIndex?
  /// Whether the bytes are available and in a dialect that the scanner supports.
  var isReadable: Bool

  init(_ text: ByteView, keys: JSONDecoder.KeyDecodingStrategy, isReadable: Bool = true) {
    (self.text, self.keys, self.isReadable) = (text, keys, isReadable)
  }

  static var unreadable: DocumentBytes {
    DocumentBytes(ByteView(ByteView.nowhere, count: 0), keys: .useDefaultKeys, isReadable: false)
  }

  /// Returns the first syntax error of the document, even if only a later part was being read; nil if it is JSON.
  func findSyntaxError() -> SyntaxErrorSearch? {
    guard isReadable else { return nil }
    return fault.map { SyntaxErrorSearch(text, known: $0) } ?? SyntaxErrorSearch(text, depthLimit: depthLimit)
  }

  /// How far a coding path leads into the bytes.
  struct Trail {
    /// The steps from the document's root in the document's names, followed by those that lead to nothing.
    var steps: [PathStep]
    /// The start of the last value reached, and its kind.
    var offset: Int
    var kind: ValueKind?
    /// The start of the last name reached.
    var name: Int?
    var isComplete = true
  }

  /// Follows a decoder's coding path from the part that the decoder received.
  ///
  /// - Parameter isMissing: Whether the decoder did not find the last key. The document may still have such a name, if
  ///   the decoder converts it.
  func follow(_ codingPath: [any CodingKey], isMissing: Bool = false) -> Trail {
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
          if let (step, child, name) = enter(
            codingPath[index], of: value, kind, after: path, depth: trail.steps.count,
            isConverted: isMissing && keys.convertsNames && index == codingPath.count - 1, scanner)
          {
            trail.steps.append(step)
            (value, trail.name) = (child, name)
            continue
          }
        }
        // The value does not exist, or the text is malformed: the trail ends at the last value that could be read.
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

  /// Returns the step for a key in a value, the value it leads to, and the start of its name.
  ///
  /// - Parameter isConverted: Whether the name in the document must be one that is converted to the key.
  private func enter(
    _ key: any CodingKey, of value: Int, _ kind: ValueKind, after codingPath: ArraySlice<any CodingKey>, depth: Int,
    isConverted: Bool, _ scanner: JSONScanner
  ) -> (PathStep, Int, name: Int?)? {
    switch kind {
    case .object:
      let name = ByteString(key.stringValue)
      // Dictionaries use the names in the document.
      var own: (value: Int, name: Int)?
      var members = ChildCursor(scanner: scanner, container: value, depth: depth + 1)
      while members.next() {
        if own == nil, !isConverted, name.utf8.withUnsafeBytes({ members.nameMatches(ByteView($0)) }) {
          own = (members.value, members.nameSpan.start)
          if !keys.convertsNames { break }
        }
        // The first name that is converted to the key counts, even if another name equals the key.
        if keys.convertsNames, let text = members.name,
          keys.converted(text, Array(codingPath))?.hasSameBytes(as: key.stringValue) == true
        {
          return (.name(ByteString(text)), members.value, members.nameSpan.start)
        }
      }
      return own.map { (.name(name), $0.value, $0.name) }
    case .array:
      guard let index = key.intValue else { return nil }
      let element = scanner.element(index, of: value, depth: depth + 1)
      return element < 0 ? nil : (.index(index), element, nil)
    case .string, .number, .boolean, .null: return nil
    }
  }

  /// Returns the names in the object at an offset, in order, as far as they can be read.
  func names(inObjectAt offset: Int) -> [String] {
    guard isReadable else { return [] }
    return JSONScanner.scanning(text, depthLimit: depthLimit) { scanner in
      let object = text.skipSpace(offset)
      guard scanner.kind(at: object) == .object else { return [] }
      var names: [String] = []
      var members = ChildCursor(scanner: scanner, container: object, depth: 1)
      while names.count < ByteView.siblingLimit, members.next() {
        names.append(text.shortName(members.nameSpan.range, isEscaped: members.nameSpan.isEscaped))
      }
      return names
    }
  }
}
