/// Where each object and array of a document ends, in one pass, so that walking over all of its values steps over each
/// byte once however deep the document is.
struct ContainerIndex {
  /// In the order of their starts, which is the order of the document.
  private(set) var starts: [Int] = []
  private(set) var ends: [Int] = []
  /// What encloses the container: its place in this index, and the step from there.
  private(set) var parents: [Int] = []
  private(set) var steps: [PathTrail.Step] = []

  /// Indexes the value that starts at the reader's offset.
  init(_ reader: ByteReader) throws(JSONSyntaxError) {
    var reader = reader
    var open: [Int] = []
    var step = PathTrail.Step.element(0)
    values: while true {
      let kind = try reader.kindOfValue()
      if kind == .object || kind == .array {
        guard open.count < ByteReader.maximumDepth else { throw reader.fail(.tooDeep) }
        parents.append(open.last ?? -1)
        open.append(starts.count)
        starts.append(reader.offset)
        ends.append(0)
        steps.append(step)
        if kind == .object {
          if let name = try reader.enterObject() {
            step = .member(name)
            continue values
          }
        } else if try reader.enterArray() {
          step = .element(0)
          continue values
        }
        step = close(&open, at: reader.offset)
      } else {
        try reader.skipScalar(reader.bytes[reader.offset])
      }
      while open.last != nil {
        switch step {
        case .member:
          if let name = try reader.nextMember() {
            step = .member(name)
            continue values
          }
        case .element(let index):
          if try reader.nextElement() {
            step = .element(index + 1)
            continue values
          }
        }
        step = close(&open, at: reader.offset)
      }
      return
    }
  }

  /// Closes the innermost container and gives the step that led to it, from which its parent goes on.
  private mutating func close(_ open: inout [Int], at offset: Int) -> PathTrail.Step {
    let closed = open.removeLast()
    ends[closed] = offset
    return steps[closed]
  }

  /// The place in the index of the container that starts at the offset.
  func place(of offset: Int) -> Int? {
    var lower = 0
    var upper = starts.count
    while lower < upper {
      let middle = lower + (upper - lower) / 2
      if starts[middle] < offset { lower = middle + 1 } else { upper = middle }
    }
    return lower < starts.count && starts[lower] == offset ? lower : nil
  }
}
