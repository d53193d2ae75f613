@testable import Decoding

/// The search for an error as one slow pass with a stack of its own: what the fast one is compared with.
extension ByteReader {
  func findSyntaxErrorCarefully() -> (steps: [PathStep], error: JSONSyntaxError)? {
    var reader = ByteReader(bytes, at: offset)
    var path: [Place] = []
    do throws(JSONSyntaxError) {
      values: while true {
        switch try reader.kindOfValue() {
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
