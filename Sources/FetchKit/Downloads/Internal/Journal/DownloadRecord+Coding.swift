extension DownloadRecord {
  func write(to writer: inout BinaryWriter) {
    writer.write(id)
    writer.write(name)
    request.write(to: &writer)
    writer.write(UInt64(priority.rawValue))
    writer.write(destination)
    writer.write(digest) { $0.write($1.bytes) }
    switch phase {
    case .active: writer.write(0 as UInt64)
    case .paused: writer.write(1 as UInt64)
    case .moving(let placement):
      writer.write(2 as UInt64)
      placement.write(to: &writer)
    case .finished(let placement):
      writer.write(3 as UInt64)
      placement.write(to: &writer)
    case .failed(let failure):
      writer.write(4 as UInt64)
      failure.write(to: &writer)
    }
    writer.write(part)
    writer.write(received)
    writer.write(total) { $0.write($1) }
    writer.write(validator) { $1.write(to: &$0) }
    metadata.write(to: &writer)
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

extension Placement {
  func write(to writer: inout BinaryWriter) {
    writer.write(inode)
    writer.write(length)
    writer.write(checksum) { $0.write(UInt64($1)) }
    writer.write(event)
    writer.write(opening)
    metadata.write(to: &writer)
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

extension FileMetadata {
  /// The first number says which texts follow. Journals without content codings have only 0 and 1.
  func write(to writer: inout BinaryWriter) {
    writer.write((suggestedFileName == nil ? 0 : 1) | (contentCoding == nil ? 0 : 2) as UInt64)
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

extension EventRecord {
  func write(to writer: inout BinaryWriter) {
    writer.write(number)
    writer.write(opening)
    writer.write(download)
    writer.write(name)
    switch outcome {
    case .finished(let path, let length, let metadata):
      writer.write(0 as UInt64)
      writer.write(path)
      writer.write(length)
      metadata.write(to: &writer)
    case .failed(let failure):
      writer.write(1 as UInt64)
      failure.write(to: &writer)
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
