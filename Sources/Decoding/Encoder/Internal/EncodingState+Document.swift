internal import Foundation

/// Finishing the document.
extension EncodingState {
  /// Returns the whole document. The state can be reset afterward.
  func document() -> Data {
    guard !core.pointee.insertions.isEmpty else {
      guard shared.needsLayout else { return writer.takeData() }
      return JSONLayout.document(writer.view, core.pointee.raws, shared.options.outputFormatting)
    }
    let (text, raws) = assembled()
    defer { text.deallocate() }
    guard shared.needsLayout else { return text.takeData() }
    return JSONLayout.document(text.view, raws, shared.options.outputFormatting)
  }

  /// Returns the bytes including those of the insertions, which the caller must deallocate, and the ranges of raw
  /// bytes.
  private func assembled() -> (text: ByteWriter, raws: [Range<Int>]) {
    close(downTo: core.pointee.values.isEmpty ? min(core.pointee.containers.count, 1) : 0)
    let whole = ByteWriter(capacity: writer.count + 16)
    var raws: [Range<Int>] = []
    var start = 0
    var own = core.pointee.raws[...]
    func copy(upTo end: Int) {
      let shift = whole.count - start
      while let raw = own.first, raw.lowerBound < end {
        raws.append(raw.lowerBound + shift..<raw.upperBound + shift)
        own.removeFirst()
      }
      whole.append(writer.view.buffer(start, end))
      start = end
    }
    for insertion in core.pointee.insertions.sorted(by: { $0.offset < $1.offset }) {
      let (text, inner) = insertion.state.assembled()
      defer { text.deallocate() }
      guard text.count > 0 else { continue }
      copy(upTo: insertion.offset)
      raws += inner.map { $0.lowerBound + whole.count..<$0.upperBound + whole.count }
      whole.append(text.view.buffer(0, text.count))
      start += insertion.replaced
    }
    copy(upTo: writer.count)
    return (whole, raws)
  }
}
