extension JournalEntry {
  func write(to writer: inout BinaryWriter) {
    switch self {
    case .origin(let journal, let version):
      writer.write(0 as UInt64)
      writer.write(journal)
      writer.write(version)
    case .next(let number):
      writer.write(1 as UInt64)
      writer.write(number)
    case .record(let record):
      writer.write(2 as UInt64)
      record.write(to: &writer)
    case .received(let download, let part, let bytes):
      writer.write(3 as UInt64)
      writer.write(download)
      writer.write(part)
      writer.write(bytes)
    case .removed(let download):
      writer.write(4 as UInt64)
      writer.write(download)
    case .event(let event):
      writer.write(5 as UInt64)
      event.write(to: &writer)
    case .acknowledged(let event):
      writer.write(6 as UInt64)
      writer.write(event)
    case .boot(let boot):
      writer.write(7 as UInt64)
      writer.write(boot)
    case .moving(let download, let part, let placement):
      writer.write(8 as UInt64)
      writer.write(download)
      writer.write(part)
      placement.write(to: &writer)
    case .moved(let download):
      writer.write(9 as UInt64)
      writer.write(download)
    case .synced(let download):
      writer.write(10 as UInt64)
      writer.write(download)
    }
  }

  init(from reader: inout BinaryReader) throws(BinaryReader.Malformed) {
    switch try reader.number() {
    case 0: self = .origin(journal: try reader.number(), version: try reader.number())
    case 1: self = .next(try reader.number())
    case 2: self = .record(try DownloadRecord(from: &reader))
    case 3:
      let (download, part) = (try reader.number(), try reader.number())
      self = .received(download: download, part: part, bytes: try reader.byteCount())
    case 4: self = .removed(download: try reader.number())
    case 5: self = .event(try EventRecord(from: &reader))
    case 6: self = .acknowledged(event: try reader.number())
    case 7: self = .boot(try reader.text())
    case 8:
      let (download, part) = (try reader.number(), try reader.number())
      self = .moving(download: download, part: part, try Placement(from: &reader))
    case 9: self = .moved(download: try reader.number())
    case 10: self = .synced(download: try reader.number())
    default: throw BinaryReader.Malformed()
    }
  }
}

extension BinaryReader {
  mutating func byteCount() throws(Malformed) -> Int64 {
    let count = try signed()
    guard count >= 0 else { throw Malformed() }
    return count
  }

  mutating func digest() throws(Malformed) -> DownloadDigest {
    guard let digest = DownloadDigest(bytes: try block()) else { throw Malformed() }
    return digest
  }
}
