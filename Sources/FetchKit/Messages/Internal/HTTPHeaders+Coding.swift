extension HTTPHeaders: BinaryWritable {
  func write(to writer: inout BinaryWriter) {
    writer.write(count)
    for field in self { writer.write(field.name, field.value) }
  }

  init(from reader: inout BinaryReader) throws(BinaryReader.Malformed) {
    let fields = try reader.list { (reader) throws(BinaryReader.Malformed) in
      Field(name: try reader.text(), value: try reader.text())
    }
    self.init(fields)
  }
}
