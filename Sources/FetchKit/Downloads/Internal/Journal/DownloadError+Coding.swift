extension DownloadError: BinaryWritable {
  func write(to writer: inout BinaryWriter) {
    switch self {
    case .connection(let reason): writer.write(0, reason)
    case .timeout: writer.write(1)
    case .status(let status): writer.write(2, status)
    case .response(let reason): writer.write(3, reason)
    case .request(let reason): writer.write(4, reason)
    case .tooLarge(let limit): writer.write(5, limit)
    case .wrongLength(let expected, let received): writer.write(6, expected, received)
    case .wrongDigest(let expected, let found): writer.write(7, expected, found)
    case .diskFull: writer.write(8)
    case .noPermission(let path): writer.write(9, path)
    case .disk(let operation, let code): writer.write(10, operation, Int(code))
    case .cancelled: writer.write(11)
    }
  }

  init(from reader: inout BinaryReader) throws(BinaryReader.Malformed) {
    switch try reader.number() {
    case 0: self = .connection(reason: try reader.text())
    case 1: self = .timeout
    case 2: self = .status(Int(try reader.signed()))
    case 3: self = .response(reason: try reader.text())
    case 4: self = .request(reason: try reader.text())
    case 5: self = .tooLarge(limit: try reader.signed())
    case 6: self = .wrongLength(expected: try reader.signed(), received: try reader.signed())
    case 7: self = .wrongDigest(expected: try reader.digest(), found: try reader.digest())
    case 8: self = .diskFull
    case 9: self = .noPermission(path: try reader.text())
    case 10: self = .disk(operation: try reader.text(), code: Int32(clamping: try reader.signed()))
    case 11: self = .cancelled
    default: throw BinaryReader.Malformed()
    }
  }
}
