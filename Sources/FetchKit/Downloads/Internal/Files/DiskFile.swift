internal import Foundation

/// An open file descriptor. Every error is a ``DownloadError``.
///
/// Calls interrupted by a signal are repeated.
final class DiskFile: Sendable {
  let path: String
  private let descriptor: Int32

  /// Opens a file for reading and writing, and creates it if needed unless `isMade` is false.
  init(
    _ path: String, isMade: Bool = true, makesEmpty: Bool = false, appends: Bool = false
  ) throws(DownloadError) {
    let flags =
      O_RDWR | O_CLOEXEC | (isMade ? O_CREAT : 0) | (makesEmpty ? O_TRUNC : 0) | (appends ? O_APPEND : 0)
    self.path = path
    descriptor = try Self.check("open", path) { open(path, flags, 0o644) }
  }

  deinit {
    close(descriptor)
  }

  var length: Int64 {
    get throws(DownloadError) { Int64(try status().st_size) }
  }

  var inode: UInt64 {
    get throws(DownloadError) { UInt64(try status().st_ino) }
  }

  func truncate(to length: Int64) throws(DownloadError) {
    try Self.check("ftruncate", path) { ftruncate(descriptor, off_t(length)) }
  }

  func write(_ bytes: some ContiguousBytes, at offset: Int64) throws(DownloadError) {
    try transfer(bytes, "pwrite", at: offset) { [descriptor] buffer, offset in
      pwrite(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
    }
  }

  /// Writes at the end of a file that was opened for appending.
  func append(_ bytes: some ContiguousBytes) throws(DownloadError) {
    try transfer(bytes, "write", at: 0) { [descriptor] buffer, _ in
      Foundation.write(descriptor, buffer.baseAddress, buffer.count)
    }
  }

  /// Reads up to `count` bytes at an offset; fewer at the end of the file.
  func read(_ count: Int, at offset: Int64) throws(DownloadError) -> Data {
    var data = Data(count: count)
    let descriptor = descriptor
    let got = data.withUnsafeMutableBytes { buffer -> Result<Int, DownloadError> in
      Result { () throws(DownloadError) in
        try Self.check("pread", path) { pread(descriptor, buffer.baseAddress, count, off_t(offset)) }
      }
    }
    return data.prefix(try got.get())
  }

  /// What a sync guarantees.
  enum SyncStrength {
    /// The bytes are on disk.
    case complete
    /// The bytes reach the disk before anything that is written later. On Darwin this takes a fraction of the time; on
    /// Linux it is a complete sync.
    case ordered
  }

  /// Syncs the written bytes to disk.
  func sync(_ strength: SyncStrength = .complete) throws(DownloadError) {
    try Self.check("fsync", path) { () -> Int32 in
      #if canImport(Darwin)
      // On Darwin, fsync only passes the bytes to the drive. Not every file system has the two stronger calls.
      if strength == .ordered, fcntl(descriptor, F_BARRIERFSYNC) == 0 { return 0 }
      return fcntl(descriptor, F_FULLFSYNC) == 0 ? 0 : fsync(descriptor)
      #else
      return fdatasync(descriptor)
      #endif
    }
  }

  /// Acquires the advisory lock, which the kernel releases when the process ends. Returns false if another process or
  /// session holds it.
  func lock() -> Bool {
    flock(descriptor, LOCK_EX | LOCK_NB) == 0
  }

  private func status() throws(DownloadError) -> stat {
    var status = stat()
    try Self.check("fstat", path) { fstat(descriptor, &status) }
    return status
  }

  private func transfer(
    _ bytes: some ContiguousBytes, _ operation: String, at offset: Int64,
    _ call: (UnsafeRawBufferPointer, Int64) -> Int
  ) throws(DownloadError) {
    let result = bytes.withUnsafeBytes { buffer -> Result<Void, DownloadError> in
      Result { () throws(DownloadError) in
        var done = 0
        while done < buffer.count {
          let rest = UnsafeRawBufferPointer(rebasing: buffer[done...])
          done += try Self.check(operation, path) { call(rest, offset + Int64(done)) }
        }
      }
    }
    try result.get()
  }

  @discardableResult
  static func check<Number: FixedWidthInteger>(
    _ operation: String, _ path: String, _ call: () -> Number
  ) throws(DownloadError) -> Number {
    while true {
      let result = call()
      guard result < 0 else { return result }
      let code = errno
      if code != EINTR { throw DownloadError(code: code, operation: operation, path: path) }
    }
  }
}
