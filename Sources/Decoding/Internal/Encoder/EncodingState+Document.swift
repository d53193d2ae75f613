internal import Foundation

/// The end.
extension EncodingState {
  /// The whole document.
  func document() -> Data {
    let text = assembled()
    guard shared.needsLayout else { return text.takeData() }
    defer { text.deallocate() }
    return JSONLayout.document(text.view, shared.options.outputFormatting)
  }

  /// The bytes with those of the insertions, for the caller to deallocate.
  private func assembled() -> ByteWriter {
    close(downTo: values.isEmpty ? min(containers.count, 1) : 0)
    guard !insertions.isEmpty else {
      isTaken = true
      return writer
    }
    let whole = ByteWriter(capacity: writer.count)
    var start = 0
    for insertion in insertions.sorted(by: { $0.offset < $1.offset }) {
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
