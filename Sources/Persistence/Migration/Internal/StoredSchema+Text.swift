extension StoredSchema {
  /// The text that the store contains. Equal schemas have equal texts: every opening creates the text and compares it.
  var text: String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("format") { $0.add(StoredSchema.format) }
      writer.member("tables") { $0.array(tables) { $1.write(to: &$0) } }
      writer.member("version") { $0.add(version) }
    }
    return writer.text
  }
}

// Members are sorted by name, as in stores written by earlier versions.

extension StoredTable {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("columns") { $0.array(columns) { $1.write(to: &$0) } }
      writer.member("indexes") { $0.array(indexes) { $1.write(to: &$0) } }
      writer.member("name") { $0.add(name) }
      if !search.isEmpty { writer.member("search") { $0.array(search) { $0.add($1) } } }
      if let sides { writer.member("sides") { $0.array(sides) { $1.write(to: &$0) } } }
    }
  }
}

extension StoredColumn {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      if let extracts { writer.member("extracts") { extracts.write(to: &$0) } }
      if let folds { writer.member("folds") { $0.add(folds) } }
      writer.member("isOptional") { $0.add(isOptional) }
      writer.member("name") { $0.add(name) }
      if let orders { writer.member("orders") { orders.write(to: &$0) } }
      if let references { writer.member("references") { $0.add(references) } }
      if let sorts { writer.member("sorts") { $0.add(sorts) } }
      writer.member("type") { $0.add(type) }
    }
  }
}

extension StoredExtract {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("column") { $0.add(column) }
      writer.member("form") { $0.add(form) }
      writer.member("names") { $0.array(names) { $0.add($1) } }
    }
  }
}

extension StoredIndex {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("columns") { $0.array(columns) { $0.add($1) } }
      writer.member("isUnique") { $0.add(isUnique) }
      writer.member("name") { $0.add(name) }
      if let condition = `where` { writer.member("where") { $0.add(condition) } }
    }
  }
}

extension StoredSide {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("property") { $0.add(property) }
      writer.member("table") { $0.add(table) }
    }
  }
}

/// Writes JSON without whitespace.
private struct JSONWriter {
  private var bytes: [UInt8] = []
  /// Whether a comma is due before the next member or element.
  private var isContinued = false

  var text: String { String(decoding: bytes, as: UTF8.self) }

  mutating func object(_ body: (inout JSONWriter) -> Void) { enclose(UInt8(ascii: "{"), UInt8(ascii: "}"), body) }

  mutating func array<Element>(_ elements: [Element], _ body: (inout JSONWriter, Element) -> Void) {
    enclose(UInt8(ascii: "["), UInt8(ascii: "]")) { writer in
      for element in elements {
        writer.separate()
        body(&writer, element)
        writer.isContinued = true
      }
    }
  }

  mutating func member(_ name: StaticString, _ body: (inout JSONWriter) -> Void) {
    separate()
    add(name.description)
    bytes.append(UInt8(ascii: ":"))
    body(&self)
    isContinued = true
  }

  mutating func add(_ number: Int) { bytes.append(contentsOf: String(number).utf8) }

  mutating func add(_ truth: Bool) { bytes.append(contentsOf: (truth ? "true" : "false").utf8) }

  mutating func add(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case 0x08: bytes.append(contentsOf: "\\b".utf8)
      case 0x09: bytes.append(contentsOf: "\\t".utf8)
      case 0x0A: bytes.append(contentsOf: "\\n".utf8)
      case 0x0C: bytes.append(contentsOf: "\\f".utf8)
      case 0x0D: bytes.append(contentsOf: "\\r".utf8)
      case 0..<0x20:
        let digits = String(byte, radix: 16)
        bytes.append(contentsOf: ("\\u00" + (byte < 16 ? "0" : "") + digits).utf8)
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func enclose(_ start: UInt8, _ end: UInt8, _ body: (inout JSONWriter) -> Void) {
    bytes.append(start)
    isContinued = false
    body(&self)
    bytes.append(end)
  }

  private mutating func separate() {
    if isContinued { bytes.append(UInt8(ascii: ",")) }
    isContinued = false
  }
}
