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
  /// Whether the bytes are at hand and in a notation that the reader knows.
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
    var reader = ByteReader(bytes, at: base)
    var trail = Trail(steps: baseSteps, offset: base)
    trail.steps.reserveCapacity(baseSteps.count + codingPath.count)
    guard isReadable else {
      trail.steps += codingPath.map(PathStep.init)
      return trail
    }
    for (index, key) in codingPath.enumerated() {
      do throws(JSONSyntaxError) {
        trail.kind = try reader.kindOfValue()
        trail.offset = reader.offset
        if let step = try enter(key, codingPath: codingPath[..<index], with: &reader) {
          trail.steps.append(step)
          continue
        }
      } catch {
        // Malformed further on: the trail ends at the last value that could be read.
      }
      trail.isComplete = false
      trail.steps += codingPath[index...].map(keys.step)
      return trail
    }
    do throws(JSONSyntaxError) {
      trail.kind = try reader.kindOfValue()
      trail.offset = reader.offset
    } catch {
      trail.isComplete = false
    }
    return trail
  }

  private func enter(
    _ key: any CodingKey, codingPath: ArraySlice<any CodingKey>, with reader: inout ByteReader
  ) throws(JSONSyntaxError) -> PathStep? {
    let start = reader.offset
    switch try reader.kindOfValue() {
    case .object:
      let name = ByteString(key.stringValue)
      if keys.convertsNames {
        // The first name that is presented as the key counts, though a later one may be the key itself.
        var presented = name
        let isFound = try reader.enterMember { reader, found in
          let text = reader.text(of: found)
          guard keys.presents(text, as: key, in: Array(codingPath)) else { return false }
          presented = ByteString(text)
          return true
        }
        if isFound { return .name(presented) }
        reader.offset = start
      }
      // Dictionaries have the document's own names.
      return try reader.enterMember { $0.matches($1, name.utf8) } ? .name(name) : nil
    case .array:
      guard let index = key.intValue, try reader.enterElement(index) else {
        reader.offset = start
        return nil
      }
      return .index(index)
    case .string, .number, .boolean, .null:
      return nil
    }
  }
}
