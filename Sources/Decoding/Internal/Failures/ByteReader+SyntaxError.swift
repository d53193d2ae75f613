extension ByteReader {
  /// The steps to the value in which reading fails, with the error; nil when the whole document is JSON.
  ///
  /// The outer containers go by what is well-formed in them at the speed of skipping, since an error may lie far back; the
  /// inner ones by one pass with a stack of its own, however deep the error lies.
  func findSyntaxError() -> (steps: [PathStep], error: JSONSyntaxError)? {
    var reader = ByteReader(bytes, at: offset)
    var path: [Place] = []
    do throws(JSONSyntaxError) {
      values: while true {
        switch try reader.kindOfValue() {
        case .object where reader.passesQuickly(around: path.count): break
        case .array where reader.passesQuickly(around: path.count): break
        case .object:
          guard path.count < Self.maximumDepth else { throw reader.fail(.tooDeep) }
          path.append(.object(nil))
          if let name = try reader.enterObject() {
            path[path.count - 1] = .object(name)
            continue values
          }
          path.removeLast()
        case .array:
          guard path.count < Self.maximumDepth else { throw reader.fail(.tooDeep) }
          path.append(.array(nil))
          if try reader.enterArray() {
            path[path.count - 1] = .array(0)
            continue values
          }
          path.removeLast()
        case .string, .number, .boolean, .null:
          try reader.skipScalar(reader.bytes[reader.offset])
        }
        while let place = path.last {
          switch place {
          case .object:
            // Between two members it is the object that is malformed, not the member before.
            path[path.count - 1] = .object(nil)
            if let name = try reader.nextMember() {
              path[path.count - 1] = .object(name)
              continue values
            }
          case .array(let index):
            path[path.count - 1] = .array(nil)
            if try reader.nextElement() {
              path[path.count - 1] = .array((index ?? -1) + 1)
              continue values
            }
          }
          path.removeLast()
        }
        break
      }
      reader.skipBlanks()
      guard reader.offset == bytes.count else { throw reader.fail(.unexpectedAfterValue) }
      return nil
    } catch {
      return (path.compactMap(step(to:)), error)
    }
  }

  /// How many containers are looked through quickly: each of them may pass all of the document again.
  private static let quickLevels = 8

  private mutating func passesQuickly(around depth: Int) -> Bool {
    depth < Self.quickLevels && skipQuickly(around: depth)
  }

  /// An open container and where in it the reader is.
  private enum Place {
    case object(JSONName?)
    case array(Int?)
  }

  private func step(to place: Place) -> PathStep? {
    switch place {
    case .object(let name): name.map { .name(ByteString(text(of: $0))) }
    case .array(let index): index.map { .index($0) }
    }
  }
}
