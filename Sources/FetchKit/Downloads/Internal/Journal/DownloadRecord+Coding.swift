extension DownloadRecord: BinaryWritable {
  func write(to writer: inout BinaryWriter) {
    writer.write(id, name, request, priority.rawValue, destination, digest)
    switch phase {
    case .active: writer.write(0)
    case .paused: writer.write(1)
    case .moving(let placement): writer.write(2, placement)
    case .finished(let placement): writer.write(3, placement)
    case .failed(let failure): writer.write(4, failure)
    }
    writer.write(part, received, total, validator, metadata)
  }

  init(from reader: inout BinaryReader) throws(BinaryReader.Malformed) {
    id = try reader.number()
    name = try reader.text()
    request = try StoredRequest(from: &reader)
    guard let priority = RequestPriority(rawValue: Int(clamping: try reader.number())) else {
      throw BinaryReader.Malformed()
    }
    self.priority = priority
    destination = try reader.text()
    digest = try reader.optional { (reader) throws(BinaryReader.Malformed) in try reader.digest() }
    switch try reader.number() {
    case 0: phase = .active
    case 1: phase = .paused
    case 2: phase = .moving(try Placement(from: &reader))
    case 3: phase = .finished(try Placement(from: &reader))
    case 4: phase = .failed(try DownloadError(from: &reader))
    default: throw BinaryReader.Malformed()
    }
    part = try reader.number()
    received = try reader.byteCount()
    total = try reader.optional { (reader) throws(BinaryReader.Malformed) in try reader.byteCount() }
    validator = try reader.optional { (reader) throws(BinaryReader.Malformed) in try Validator(from: &reader) }
    metadata = try FileMetadata(from: &reader)
  }
}

extension Placement: BinaryWritable {
  func write(to writer: inout BinaryWriter) {
    writer.write(inode, length, checksum.map { UInt64($0) }, event, opening, metadata)
  }

  init(from reader: inout BinaryReader) throws(BinaryReader.Malformed) {
    inode = try reader.number()
    length = try reader.byteCount()
    checksum = try reader.optional { (reader) throws(BinaryReader.Malformed) in
      guard let checksum = UInt32(exactly: try reader.number()) else { throw BinaryReader.Malformed() }
      return checksum
    }
    event = try reader.number()
    opening = try reader.number()
    metadata = try FileMetadata(from: &reader)
  }
}

extension FileMetadata: BinaryWritable {
  /// The first number says which texts follow. Journals without content codings have only 0 and 1.
  func write(to writer: inout BinaryWriter) {
    writer.write((suggestedFileName == nil ? 0 : 1) | (contentCoding == nil ? 0 : 2))
    if let suggestedFileName { writer.write(suggestedFileName) }
    if let contentCoding { writer.write(contentCoding) }
  }

  init(from reader: inout BinaryReader) throws(BinaryReader.Malformed) {
    let texts = try reader.number()
    guard texts < 4 else { throw BinaryReader.Malformed() }
    if texts & 1 != 0 { suggestedFileName = try reader.text() }
    if texts & 2 != 0 { contentCoding = try reader.text() }
  }
}

extension EventRecord: BinaryWritable {
  func write(to writer: inout BinaryWriter) {
    writer.write(number, opening, download, name)
    switch outcome {
    case .finished(let path, let length, let metadata): writer.write(0, path, length, metadata)
    case .failed(let failure): writer.write(1, failure)
    }
  }

  init(from reader: inout BinaryReader) throws(BinaryReader.Malformed) {
    number = try reader.number()
    opening = try reader.number()
    download = try reader.number()
    name = try reader.text()
    switch try reader.number() {
    case 0:
      let (path, length) = (try reader.text(), try reader.byteCount())
      outcome = .finished(path: path, length: length, try FileMetadata(from: &reader))
    case 1: outcome = .failed(try DownloadError(from: &reader))
    default: throw BinaryReader.Malformed()
    }
  }
}
