internal import Foundation

/// The end.
extension EncodingState {
  /// The whole document. The state can be reset after that.
  func document() -> Data {
    guard !core.pointee.insertions.isEmpty else {
      guard shared.needsLayout else { return writer.takeData() }
      return JSONLayout.document(writer.view, shared.options.outputFormatting)
    }
    let text = assembled()
    defer { text.deallocate() }
    guard shared.needsLayout else { return text.takeData() }
    return JSONLayout.document(text.view, shared.options.outputFormatting)
  }

  /// The bytes with those of the insertions, for the caller to deallocate.
  private func assembled() -> ByteWriter {
    close(downTo: core.pointee.values.isEmpty ? min(core.pointee.containers.count, 1) : 0)
    let whole = ByteWriter(capacity: writer.count + 16)
    var start = 0
    for insertion in core.pointee.insertions.sorted(by: { $0.offset < $1.offset }) {
      let text = insertion.state.assembled()
      defer { text.deallocate() }
      guard text.count > 0 else { continue }
      whole.append(writer.view.buffer(start, insertion.offset))
      whole.append(text.view.buffer(0, text.count))
      start = insertion.offset + insertion.replaced
    }
    whole.append(writer.view.buffer(start, writer.count))
    return whole
  }
}
