internal import CLarderSQLite

/// The state of the write-ahead log according to SQLite's index in shared memory: <https://sqlite.org/walformat.html>.
struct LogIndex {
  /// The number of commits of all connections since the index was created.
  let commits: UInt32
  let frames: Int
  /// 0 if nothing has been written to the log.
  let pageSize: Int
  let checksum: LogChecksum
  /// In the byte order of the log file.
  let salts: [UInt8]

  /// Returns nil if there is no index, or if it is being written at this moment.
  init?(of database: OpaquePointer) {
    var file: UnsafeMutablePointer<sqlite3_file>?
    var mapped: UnsafeMutableRawPointer?
    guard sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK, let file,
      let map = file.pointee.pMethods?.pointee.xShmMap,
      map(file, 0, 32_768, 0, &mapped) == SQLITE_OK, let mapped
    else { return nil }
    // The index contains two copies of the header.
    let header = [UInt8](UnsafeRawBufferPointer(start: mapped, count: 48))
    guard header == [UInt8](UnsafeRawBufferPointer(start: mapped + 48, count: 48)), header[12] != 0 else { return nil }
    let word = { (at: Int) in header.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: at, as: UInt32.self) } }
    let size = Int(header.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 14, as: UInt16.self) })
    commits = word(8)
    frames = Int(word(16))
    // 65,536 does not fit into 16 bits and is encoded as 1.
    pageSize = size & 0xFE00 + (size & 1) << 16
    checksum = LogChecksum(isBigEndian: header[13] != 0, first: word(24), second: word(28))
    salts = Array(header[32..<40])
  }
}

/// The running checksum of a log.
struct LogChecksum {
  let isBigEndian: Bool
  var first: UInt32
  var second: UInt32

  mutating func add(_ bytes: some Sequence<UInt8>) {
    var iterator = bytes.makeIterator()
    while let a = word(&iterator), let b = word(&iterator) {
      first = first &+ a &+ second
      second = second &+ b &+ first
    }
  }

  private func word(_ iterator: inout some IteratorProtocol<UInt8>) -> UInt32? {
    var word: UInt32 = 0
    for position in 0..<4 {
      guard let byte = iterator.next() else { return nil }
      word |= UInt32(byte) << (isBigEndian ? 24 - 8 * UInt32(position) : 8 * UInt32(position))
    }
    return word
  }

  /// The file stores its checksums in the same byte order on every machine.
  func matches(_ bytes: ArraySlice<UInt8>) -> Bool {
    let stored = [first, second].flatMap { word in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) } }
    return stored.elementsEqual(bytes)
  }
}

/// The file of a write-ahead log, read through the connection that has it open.
struct LogFile {
  private let file: UnsafeMutablePointer<sqlite3_file>
  private static let headerSize = 32
  private static let frameSize = 24

  init?(of database: OpaquePointer) {
    var file: UnsafeMutablePointer<sqlite3_file>?
    guard sqlite3_file_control(database, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file) == SQLITE_OK, let file,
      file.pointee.pMethods != nil
    else { return nil }
    self.file = file
  }

  /// Whether recovery would find a commit after those in the index. Nil if the log cannot be read.
  func hasCommit(behind index: LogIndex) -> Bool? {
    guard index.pageSize >= 512 else { return nil }
    var checksum = index.checksum
    if index.frames == 0 {
      guard let header = read(Self.headerSize, at: 0) else { return nil }
      // The log was restarted but its header not written: its contents were checkpointed long ago.
      guard Array(header[16..<24]) == index.salts else { return false }
      checksum = LogChecksum(isBigEndian: header[3] & 1 != 0, first: 0, second: 0)
      checksum.add(header[..<24])
      guard checksum.matches(header[24..<32]) else { return false }
    }
    let size = Self.frameSize + index.pageSize
    var offset = Int64(Self.headerSize) + Int64(index.frames) * Int64(size)
    while true {
      guard let frame = read(size, at: offset) else { return nil }
      guard Array(frame[8..<16]) == index.salts else { return false }
      checksum.add(frame[..<8])
      checksum.add(frame[Self.frameSize...])
      guard checksum.matches(frame[16..<24]) else { return false }
      // The last frame of a commit contains the size of the database.
      if frame[4..<8].contains(where: { $0 != 0 }) { return true }
      offset += Int64(size)
    }
  }

  /// Bytes past the end of the file are read as zeros.
  private func read(_ count: Int, at offset: Int64) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    guard let code = file.pointee.pMethods?.pointee.xRead?(file, &bytes, Int32(count), offset) else { return nil }
    // The extended code for a short read is a macro that Swift cannot import.
    return code == SQLITE_OK || code == SQLITE_IOERR | 2 << 8 ? bytes : nil
  }
}
