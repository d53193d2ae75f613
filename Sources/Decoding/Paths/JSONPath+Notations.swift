extension JSONPath {
  /// The path as a JSON Pointer (RFC 6901), or nil if there is no equivalent pointer. For example, the pointer for
  /// `$['a'][0]` is `/a/0`.
  ///
  /// Only singular paths without negative indices have an equivalent pointer. The pointer to the whole document is the
  /// empty string.
  public var pointer: String? {
    guard let steps = compiled.steps else { return nil }
    var text = ""
    for step in steps {
      switch step {
      case .name(let name):
        text += "/"
        for scalar in name.text.unicodeScalars { text += scalar == "~" ? "~0" : scalar == "/" ? "~1" : String(scalar) }
      case .index(let index):
        guard index >= 0 else { return nil }
        text += "/\(index)"
      }
    }
    return text
  }

  /// Creates a path from a JSON Pointer (RFC 6901). For example, `/a/0` becomes `$['a'][0]`, and the empty string
  /// becomes `$`, which is the path of the whole document.
  ///
  /// A pointer does not specify whether `0` is an index or a name. This initializer treats a token that looks like an
  /// index as an index. To access a member named `0`, use `['0']` in a path.
  ///
  /// - Throws: ``JSONPathError`` if a nonempty pointer does not start with `/`, if `~` is not followed by 0 or 1, or if
  ///   the pointer has more than 512 tokens.
  public init(pointer: String) throws(JSONPathError) {
    func fail(at index: String.UnicodeScalarView.Index, _ reason: String) -> JSONPathError {
      let column = pointer.unicodeScalars.distance(from: pointer.startIndex, to: index) + 1
      return JSONPathError(path: pointer, column: column, reason: reason)
    }
    let scalars = pointer.unicodeScalars
    guard let first = scalars.first else {
      self = .root
      return
    }
    guard first == "/" else { throw fail(at: scalars.startIndex, "a pointer must be empty or start with `/`") }

    var steps: [PathStep] = []
    var token = ""
    var index = scalars.index(after: scalars.startIndex)
    while index < scalars.endIndex {
      let scalar = scalars[index]
      switch scalar {
      case "/":
        steps.append(PathStep(pointerToken: token))
        token = ""
      case "~":
        let next = scalars.index(after: index)
        guard next < scalars.endIndex, scalars[next] == "0" || scalars[next] == "1" else {
          throw fail(at: index, "`~` must be followed by 0 (for `~`) or 1 (for `/`)")
        }
        token += scalars[next] == "0" ? "~" : "/"
        index = next
      default:
        token.unicodeScalars.append(scalar)
      }
      index = scalars.index(after: index)
    }
    steps.append(PathStep(pointerToken: token))
    guard steps.count <= PathLimits.segments else {
      throw fail(at: scalars.startIndex, "more than \(PathLimits.segments) steps")
    }
    self.init(CompiledPath(segments: steps.map(Segment.init)))
  }

  /// Creates the path that a coding path represents. A coding key with an integer value becomes an index, unless it is
  /// a case of an enum of integers: such a case and any other coding key become a name.
  ///
  /// - Parameter codingPath: A coding path from `Decoder.codingPath` or a `DecodingError.Context`.
  public init(codingPath: [any CodingKey]) {
    self.init(CompiledPath(segments: codingPath.map { Segment(PathStep($0)) }))
  }
}

extension PathStep {
  fileprivate init(pointerToken token: String) {
    // RFC 6901 §4: an index is `0` or digits without a leading zero.
    let isIndex = token == "0" || (token.first.map { "123456789".contains($0) } ?? false)
    if isIndex, token.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let index = Int(token),
      index <= PathLimits.largestInteger
    {
      self = .index(index)
    } else {
      self = .name(ByteString(token))
    }
  }

  init(_ key: any CodingKey) {
    // A case of an enum with raw values is the key of a member even if its raw value is an integer.
    let index = key is any RawRepresentable ? nil : key.intValue
    self = index.map { .index($0) } ?? .name(ByteString(key.stringValue))
  }
}
