internal import Foundation

extension CacheFolder {
  typealias File = (name: String, path: String)

  private static let temporaryMark = "new-"
  private static let mostAttempts = 10
  /// How long a file can be in use before its time of use is updated, in seconds.
  private static let lastUsePrecision = 60

  /// Returns the subfolder of a URL's files and the prefix of their names.
  func names(_ url: String) -> (shard: String, name: String) {
    let digest = SHA256.hexDigest(of: Data(url.utf8))
    return (String(digest.prefix(2)), "\(digest).")
  }

  func path(_ url: String, _ key: String) -> String {
    let (shard, name) = names(url)
    return "\(root)/\(shard)/\(name)\(key.isEmpty ? "0" : key)"
  }

  func shards() -> [String] {
    Self.list(root).filter { $0.utf8.count == 2 }
  }

  func files(in shard: String) -> [File] {
    Self.list("\(root)/\(shard)").map { ($0, "\(root)/\(shard)/\($0)") }
  }

  func read(_ descriptor: Int32, _ url: String, _ key: String) -> CacheEntry? {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_size >= CacheFile.headLength, status.st_size <= limit else {
      return nil
    }
    let length = Int(status.st_size)
    guard let start = Self.bytes(0..<CacheFile.headLength, of: descriptor),
      let head = start.withUnsafeBytes({ CacheFile.head($0, fileLength: length) })
    else { return nil }
    let bodyStart = CacheFile.headLength + head.metadataLength
    guard let metadata = Self.bytes(CacheFile.headLength..<bodyStart, of: descriptor),
      let body = Self.bytes(bodyStart..<length, of: descriptor)
    else { return nil }
    if Int(time(nil)) - Self.lastUse(status) >= Self.lastUsePrecision { futimens(descriptor, nil) }
    return CacheFile.entry(metadata: metadata, head, body: body, url: url, key: key)
  }

  func write(_ entry: CacheEntry, _ url: String, _ key: String) {
    let head = CacheFile.encoded(entry, url: url, key: key)
    let total = head.count + entry.body.count
    guard total <= limit else { return }
    let data = Data(head)
    do throws(HTTPCache.FolderError) {
      for attempt in 1...Self.mostAttempts {
        do throws(HTTPCache.FolderError) {
          try put([data, entry.body], at: path(url, key), in: names(url).shard)
          break
        } catch {
          // Another process may remove the file as abandoned, after its creation and before its lock.
          guard error.operation == "rename", error.code == ENOENT, attempt < Self.mostAttempts else { throw error }
        }
      }
      let isOver = accounts.withLock { accounts in
        accounts.bytes += total
        accounts.writtenSinceCount += total
        // Other processes may also write, so the files are counted again from time to time.
        return accounts.bytes > limit || accounts.writtenSinceCount > limit / 8
      }
      if isOver { count() }
    } catch {
      accounts.withLock { $0.failure = error }
    }
  }

  /// Counts the files and, if they exceed the limit, removes the least recently used files until an eighth is free.
  func count() {
    var all: [(path: String, length: Int, used: Int)] = []
    for shard in shards() {
      for file in files(in: shard) {
        if file.name.hasPrefix(Self.temporaryMark) {
          removeIfAbandoned(file)
          continue
        }
        var status = stat()
        guard stat(file.path, &status) == 0 else { continue }
        all.append((file.path, Int(status.st_size), Self.lastUse(status)))
      }
    }
    var bytes = all.reduce(0) { $0 + $1.length }
    if bytes > limit {
      for file in all.sorted(by: { $0.used < $1.used }) where bytes > limit - limit / 8 {
        unlink(file.path)
        bytes -= file.length
      }
    }
    accounts.withLock { [bytes] accounts in
      accounts.bytes = bytes
      accounts.writtenSinceCount = 0
    }
  }

  /// Removes a temporary file whose writer has ended. A writer holds a lock on the file until it ends, no matter how it
  /// ends.
  private func removeIfAbandoned(_ file: File) {
    let descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unlink(file.path) }
    close(descriptor)
  }

  private func put(_ parts: [Data], at path: String, in shard: String) throws(HTTPCache.FolderError) {
    let number = accounts.withLock { accounts in
      accounts.lastName += 1
      return accounts.lastName
    }
    let temporary = "\(root)/\(shard)/\(Self.temporaryMark)\(getpid())-\(number)"
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
    var descriptor = open(temporary, flags, 0o600)
    if descriptor < 0, errno == ENOENT {
      mkdir("\(root)/\(shard)", 0o700)
      descriptor = open(temporary, flags, 0o600)
    }
    guard descriptor >= 0 else { throw HTTPCache.FolderError(operation: "open", path: temporary, code: errno) }
    defer { close(descriptor) }
    flock(descriptor, LOCK_EX | LOCK_NB)
    atPoint(.created)
    do throws(HTTPCache.FolderError) {
      for (part, point) in zip(parts, [Point.headWritten, .bodyWritten]) {
        try Self.append(part, to: descriptor, temporary)
        atPoint(point)
      }
      guard rename(temporary, path) == 0 else {
        throw HTTPCache.FolderError(operation: "rename", path: path, code: errno)
      }
      atPoint(.renamed)
    } catch {
      unlink(temporary)
      throw error
    }
  }

  private static func append(_ data: Data, to descriptor: Int32, _ path: String) throws(HTTPCache.FolderError) {
    let code = data.withUnsafeBytes { bytes -> Int32 in
      var rest = bytes[...]
      while !rest.isEmpty {
        let part = UnsafeRawBufferPointer(rebasing: rest)
        let count = Foundation.write(descriptor, part.baseAddress, part.count)
        if count < 0, errno != EINTR { return errno }
        rest = rest.dropFirst(max(0, count))
      }
      return 0
    }
    if code != 0 { throw HTTPCache.FolderError(operation: "write", path: path, code: code) }
  }

  /// Returns a range of the file, or nil if the file ends before.
  private static func bytes(_ range: Range<Int>, of descriptor: Int32) -> Data? {
    var data = Data(count: range.count)
    let isWhole = data.withUnsafeMutableBytes { buffer in
      var done = 0
      while done < buffer.count {
        let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
        let count = pread(descriptor, rest.baseAddress, rest.count, off_t(range.lowerBound + done))
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        done += count
      }
      return true
    }
    return isWhole ? data : nil
  }

  /// The modification time records when a file was last used.
  private static func lastUse(_ status: stat) -> Int {
    #if canImport(Darwin)
    status.st_mtimespec.tv_sec
    #else
    status.st_mtim.tv_sec
    #endif
  }

  private static func list(_ path: String) -> [String] {
    // A missing folder is empty. An unreadable folder is treated as empty.
    (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
  }
}
