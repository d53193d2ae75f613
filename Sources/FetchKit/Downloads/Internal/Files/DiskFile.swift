internal import Foundation

/// An open file, by its descriptor; every failure is a ``DownloadFailure``.
///
/// Calls that a signal interrupts are repeated.
final class DiskFile: Sendable {
  let path: String
  private let descriptor: Int32

  /// Opens a file for reading and writing; unless told otherwise it is made if it is not there.
  init(
    _ path: String, isMade: Bool = true, makesEmpty: Bool = false, appends: Bool = false
  ) throws(DownloadFailure) {
    let flags =
      O_RDWR | O_CLOEXEC | (isMade ? O_CREAT : 0) | (makesEmpty ? O_TRUNC : 0) | (appends ? O_APPEND : 0)
    self.path = path
    descriptor = try Self.check("open", path) { open(path, flags, 0o644) }
  }

  deinit {
    close(descriptor)
  }

  var length: Int64 {
    get throws(DownloadFailure) { Int64(try status().st_size) }
  }

  var inode: UInt64 {
    get throws(DownloadFailure) { UInt64(try status().st_ino) }
  }

  func truncate(to length: Int64) throws(DownloadFailure) {
    try Self.check("ftruncate", path) { ftruncate(descriptor, off_t(length)) }
  }

  func write(_ bytes: some ContiguousBytes, at offset: Int64) throws(DownloadFailure) {
    try transfer(bytes, "pwrite", offset) { [descriptor] buffer, offset in
      pwrite(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
    }
  }

  /// Writes at the end of a file opened for it.
  func append(_ bytes: some ContiguousBytes) throws(DownloadFailure) {
    try transfer(bytes, "write", 0) { [descriptor] buffer, _ in
      Foundation.write(descriptor, buffer.baseAddress, buffer.count)
    }
  }

  /// Up to so many bytes from there; fewer at the end.
  func read(_ count: Int, at offset: Int64) throws(DownloadFailure) -> Data {
    var data = Data(count: count)
    let descriptor = descriptor
    let got = data.withUnsafeMutableBytes { buffer -> Result<Int, DownloadFailure> in
      Result { () throws(DownloadFailure) in
        try Self.check("pread", path) { pread(descriptor, buffer.baseAddress, count, off_t(offset)) }
      }
    }
    return data.prefix(try got.get())
  }

  /// Returns when what was written is on the disk.
  func sync() throws(DownloadFailure) {
    try Self.check("fsync", path) {
      #if canImport(Darwin)
      // fsync only hands the bytes to the drive there.
      fcntl(descriptor, F_FULLFSYNC) == 0 ? 0 : fsync(descriptor)
      #else
      fdatasync(descriptor)
      #endif
    }
  }

  /// Takes the advisory lock, which ends with the process whatever becomes of it; false if another has it.
  func lock() -> Bool {
    flock(descriptor, LOCK_EX | LOCK_NB) == 0
  }

  private func status() throws(DownloadFailure) -> stat {
    var status = stat()
    try Self.check("fstat", path) { fstat(descriptor, &status) }
    return status
  }

  private func transfer(
    _ bytes: some ContiguousBytes, _ operation: String, _ offset: Int64,
    _ call: (UnsafeRawBufferPointer, Int64) -> Int
  ) throws(DownloadFailure) {
    let result = bytes.withUnsafeBytes { buffer -> Result<Void, DownloadFailure> in
      Result { () throws(DownloadFailure) in
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
  ) throws(DownloadFailure) -> Number {
    while true {
      let result = call()
      guard result < 0 else { return result }
      let code = errno
      if code != EINTR { throw DownloadFailure(code: code, operation: operation, path: path) }
    }
  }
}
