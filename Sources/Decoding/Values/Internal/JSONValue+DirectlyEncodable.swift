internal import Foundation

extension JSONValue: DirectlyEncodable {
  func encodeDirectly(_ state: EncodingState) {
    JSONTextWriter(writer: state.writer, escapesSlashes: state.shared.escapesSlashes).write(self)
  }
}

extension JSONNumber: DirectlyEncodable {
  func encodeDirectly(_ state: EncodingState) { state.writer.append(ascii: text) }
}

/// Preserves whitespace, escapes and duplicate names, unless members are sorted or lines are indented.
extension RawJSON: DirectlyEncodable {
  func encodeDirectly(_ state: EncodingState) {
    let start = state.writer.count
    data.withUnsafeBytes { state.writer.append($0.bindMemory(to: UInt8.self)) }
    state.core.pointee.raws.append(start..<state.writer.count)
  }
}
