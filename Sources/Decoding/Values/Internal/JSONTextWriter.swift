internal import Foundation

/// Writes values as JSON without whitespace and without recursion.
struct JSONTextWriter {
  let writer: ByteWriter
  let escapesSlashes: Bool

  static func data(of value: JSONValue) -> Data {
    let writer = ByteWriter()
    defer { writer.deallocate() }
    JSONTextWriter(writer: writer, escapesSlashes: false).write(value)
    return writer.takeData()
  }

  func write(_ value: JSONValue) {
    // The open arrays and objects, each with the position of its next value.
    var open: [(storage: JSONStorage, next: Int)] = []
    begin(value, &open)
    while let (storage, position) = open.last {
      guard position < storage.values.count else {
        writer.append(storage.isObject ? ASCII.rightBrace : ASCII.rightBracket)
        open.removeLast()
        continue
      }
      open[open.count - 1].next += 1
      if position > 0 { writer.append(ASCII.comma) }
      if storage.isObject {
        writer.append(storage.names[position], escapesSlashes: escapesSlashes)
        writer.append(ASCII.colon)
      }
      begin(storage.values[position], &open)
    }
  }

  private func begin(_ value: JSONValue, _ open: inout [(storage: JSONStorage, next: Int)]) {
    switch value {
    case .null: writer.append("null")
    case .bool(let bool): writer.append(bool)
    case .number(let number): writer.append(ascii: number.text)
    case .string(let string): writer.append(string, escapesSlashes: escapesSlashes)
    case .array(let array):
      writer.append(ASCII.leftBracket)
      open.append((array.storage, 0))
    case .object(let object):
      writer.append(ASCII.leftBrace)
      open.append((object.storage, 0))
    }
  }
}
