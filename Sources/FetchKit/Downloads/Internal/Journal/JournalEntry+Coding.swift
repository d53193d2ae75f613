extension JournalEntry: BinaryWritable {
  func write(to writer: inout BinaryWriter) {
    switch self {
    case .origin(let journal, let version): writer.write(0, journal, version)
    case .next(let number): writer.write(1, number)
    case .record(let record): writer.write(2, record)
    case .received(let download, let part, let bytes): writer.write(3, download, part, bytes)
    case .removed(let download): writer.write(4, download)
    case .event(let event): writer.write(5, event)
    case .acknowledged(let event): writer.write(6, event)
    case .boot(let boot): writer.write(7, boot)
    case .moving(let download, let part, let placement): writer.write(8, download, part, placement)
    case .moved(let download): writer.write(9, download)
    case .synced(let download): writer.write(10, download)
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

extension DownloadDigest: BinaryWritable {
  func write(to writer: inout BinaryWriter) {
    writer.write(bytes.count)
    writer.bytes += bytes
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
