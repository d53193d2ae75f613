import FetchKitTesting
import Foundation
import LarderTestSupport
import Testing

@testable import FetchKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

@Suite(.timeLimit(.minutes(10))) struct CacheFolderTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
  }

  private static let url = "http://example.com/a?api_key=secret"

  /// A body that shows whether it is whole.
  static func body(_ number: Int, count: Int) -> Data {
    var body = Data("\(number):\(count):".utf8)
    while body.count < count { body += body }
    return Data(body.prefix(count))
  }

  static func isWhole(_ body: Data) -> Bool {
    let parts = body.split(separator: UInt8(ascii: ":"), maxSplits: 2).map { String(decoding: $0, as: UTF8.self) }
    guard parts.count > 1, let number = Int(parts[0]), let count = Int(parts[1]) else { return false }
    return body == self.body(number, count: count)
  }

  static func entry(_ number: Int, count: Int = 100) -> CacheEntry {
    .response(
      StoredResponse(
        status: 200, version: ResponseHead.Version(major: 1, minor: 1),
        headers: ["ETag": "\"\(number)\"", "Vary": "Accept", "vary": "Foo"], body: body(number, count: count),
        requested: TestDate.start, received: TestDate.start + 0.25))
  }

  private func store(_ folder: CacheFolder, _ entry: CacheEntry, url: String = url, key: String = "") async {
    folder.set(url, key, entry) { true }
    await folder.waitUntilIdle()
  }

  private func file() throws -> URL {
    let files = try #require(
      FileManager.default.enumerator(at: scratch.url, includingPropertiesForKeys: nil)?.allObjects as? [URL])
    return try #require(files.first { !$0.hasDirectoryPath && $0.lastPathComponent.count > 10 })
  }

  @Test(arguments: [0, 1, 100, 16 << 10, 100_000, 1 << 20]) func `an entry of any size reads back as it was written`(
    count: Int
  ) async throws {
    let folder = try CacheFolder(scratch.url, limit: 4 << 20)
    let body = Self.body(7, count: count)
    let written = StoredResponse(
      status: 404, version: ResponseHead.Version(major: 2, minor: 0), headers: ["A": "ä", "a": "", "ETag": "\"x\""],
      body: body, requested: TestDate.start, received: TestDate.start + 0.25)
    await store(folder, .response(written), key: "k")
    guard case .response(let read) = await folder.entry(Self.url, "k") else {
      Issue.record("the entry is missing")
      return
    }
    #expect(read.status == 404)
    #expect(read.version == written.version)
    #expect(read.headers == written.headers)
    #expect(read.body == body)
    #expect(read.body.startIndex == 0)
    #expect(read.requested == written.requested)
    #expect(read.freshness == written.freshness)
    #expect(await folder.entry(Self.url, "") == nil)
    #expect(await folder.entry(Self.url + "b", "k") == nil)
    await store(folder, .varying(["accept", "foo"]))
    guard case .varying(let names) = await folder.entry(Self.url, "") else {
      Issue.record("the entry is missing")
      return
    }
    #expect(names == ["accept", "foo"])
  }

  @Test func `no cached file's name or URL shows a secret, and other users cannot read the files`() async throws {
    let folder = try CacheFolder(scratch.url.appending(path: "new"), limit: 1 << 20)
    await store(folder, Self.entry(1))
    let file = try file()
    #expect(try !String(decoding: Data(contentsOf: file), as: UTF8.self).contains("secret"))
    #expect(!file.path.contains("secret"))
    for (path, mode) in [(file.path, 0o600), (scratch.url.appending(path: "new").path, 0o700)] {
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == mode)
    }
  }

  @Test func `a cache folder that others may read becomes private`() throws {
    let url = scratch.url.appending(path: "open")
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    _ = try CacheFolder(url, limit: 1 << 20)
    #expect(try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int == 0o700)
  }

  @Test func `a cached file with any byte changed is a miss`() async throws {
    let folder = try CacheFolder(scratch.url, limit: 1 << 20)
    await store(folder, Self.entry(1, count: 64))
    let file = try file()
    let whole = try Data(contentsOf: file)
    for offset in whole.indices {
      for change in [UInt8(1), 0x80, 0xFF] {
        var corrupt = whole
        corrupt[offset] ^= change
        try corrupt.write(to: file)
        #expect(await folder.entry(Self.url, "") == nil, "byte \(offset) ^ \(change)")
        #expect(!FileManager.default.fileExists(atPath: file.path), "a corrupt file is removed")
      }
    }
    try whole.write(to: file)
    #expect(await folder.entry(Self.url, "") != nil)
  }

  @Test func `a cached file of the wrong length is a miss`() async throws {
    let folder = try CacheFolder(scratch.url, limit: 1 << 20)
    await store(folder, Self.entry(1, count: 64))
    let file = try file()
    let whole = try Data(contentsOf: file)
    for length in 0..<whole.count {
      try whole.prefix(length).write(to: file)
      #expect(await folder.entry(Self.url, "") == nil, "\(length) bytes")
    }
    for more in [1, 48, 100_000] {
      try (whole + Data(count: more)).write(to: file)
      #expect(await folder.entry(Self.url, "") == nil, "\(more) extra bytes")
    }
    try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
    #expect(await folder.entry(Self.url, "") == nil, "a folder in its place")
  }

  @Test func `a cached file with random content and a valid checksum is a miss and does not crash`() {
    var random = SplitMix.printed()
    for _ in 0..<5000 {
      let metadata = Data(
        (0..<Int.random(in: 0..<200, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) })
      let hash = metadata.withUnsafeBytes { XXH64.hash($0) }
      let empty = UnsafeRawBufferPointer(start: nil, count: 0)
      let head = CacheFile.Head(
        metadataLength: metadata.count, bodyLength: 0, metadataHash: hash, bodyHash: XXH64.hash(empty))
      #expect(CacheFile.entry(metadata: metadata, head, body: Data(), url: Self.url, key: "") == nil)
    }
    // The same with metadata that begins correctly.
    let whole = CacheFile.encoded(Self.entry(1), url: Self.url, key: "").dropFirst(CacheFile.headLength)
    for _ in 0..<5000 {
      var metadata = Data(whole)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        metadata[Int.random(in: 65..<metadata.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      let hash = metadata.withUnsafeBytes { XXH64.hash($0) }
      let empty = UnsafeRawBufferPointer(start: nil, count: 0)
      let head = CacheFile.Head(
        metadataLength: metadata.count, bodyLength: 0, metadataHash: hash, bodyHash: XXH64.hash(empty))
      _ = CacheFile.entry(metadata: metadata, head, body: Data(), url: Self.url, key: "")
    }
  }

  @Test func `a cached file in another entry's place is a miss`() async throws {
    let folder = try CacheFolder(scratch.url, limit: 1 << 20)
    await store(folder, Self.entry(1), url: "http://example.com/other")
    let other = try Data(contentsOf: file())
    await folder.removeAll()
    await store(folder, Self.entry(2))
    try other.write(to: file())
    #expect(await folder.entry(Self.url, "") == nil)
  }

  @Test func `the least recently used entry is evicted first, and the folder stays within its limit`() async throws {
    let folder = try CacheFolder(scratch.url, limit: 40_000)
    for number in 0..<8 { await store(folder, Self.entry(number, count: 4000), url: "u\(number)") }
    for number in 0..<8 {
      let path = folder.path("u\(number)", "")
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: Double(number) * 100 - 10_000)], ofItemAtPath: path)
    }
    #expect(await folder.entry("u0", "") != nil)
    for number in 8..<12 { await store(folder, Self.entry(number, count: 4000), url: "u\(number)") }
    #expect(await folder.entry("u1", "") == nil)
    #expect(await folder.entry("u0", "") != nil, "it was used recently")
    #expect(await folder.entry("u11", "") != nil)
    #expect(folder.bytes <= 40_000)
    await store(folder, Self.entry(99, count: 50_000), url: "large")
    #expect(await folder.entry("large", "") == nil)
  }

  @Test func `opening a cache folder counts the entries it already has`() async throws {
    let first = try CacheFolder(scratch.url, limit: 100_000)
    for number in 0..<10 { await store(first, Self.entry(number, count: 5000), url: "u\(number)") }
    let second = try CacheFolder(scratch.url, limit: 20_000)
    await second.waitUntilIdle()
    #expect(second.bytes <= 20_000)
    #expect(second.bytes > 5000)
  }

  @Test func `a cache folder that cannot be used is an error with its cause`() throws {
    let file = scratch.url.appending(path: "file")
    try Data().write(to: file)
    let path = file.path(percentEncoded: false)
    #expect(throws: HTTPCache.FolderError(operation: "mkdir", path: path, code: EEXIST)) {
      try HTTPCache(directory: file)
    }
    #expect(throws: HTTPCache.FolderError(operation: "mkdir", path: path + "/below", code: ENOTDIR)) {
      try HTTPCache(directory: file.appending(path: "below"))
    }
  }

  @Test func `an entry that cannot be written is not served, and the cause is reported`() async throws {
    let folder = scratch.url.appending(path: "c")
    let cache = try HTTPCache(directory: folder) { $0.memoryBytes = 0 }
    await cache.waitUntilIdle()
    let fixture = CachedClient(cache: cache, headers: ["Cache-Control": "max-age=9"])
    _ = try await fixture.get()
    await cache.waitUntilIdle()
    #expect(try await fixture.text() == "1 fresh")
    #expect(cache.lastFolderError == nil)
    try FileManager.default.removeItem(at: folder)
    try Data().write(to: folder)
    #expect(try await fixture.text() == "2 network")
    await cache.waitUntilIdle()
    #expect(cache.lastFolderError != nil)
    #expect(try await fixture.text() == "3 network")
  }

  @Test func `a new process finds the entries of an earlier one and works offline`() async throws {
    for run in 1...2 {
      let fixture = CachedClient(cache: try HTTPCache(directory: scratch.url)) { _ throws(TransportError) in
        if run == 2 { throw .connection(.refused, detail: "") }
        return .stub(
          headers: ["Cache-Control": "max-age=10", "Vary": "Accept", "ETag": "\"1\""], body: Data("kept".utf8))
      }
      if run == 1 { _ = try await fixture.get() }
      #expect(try await fixture.text() == "kept fresh")
      fixture.date.advance(by: 100)
      if run == 2 { #expect(try await fixture.text() == "kept stale") }
      await fixture.cache.waitUntilIdle()
    }
  }

  @Test func `an invalidated entry is gone from the folder when the invalidation is reported`() async throws {
    let cache = try HTTPCache(directory: scratch.url) { $0.memoryBytes = 0 }
    let fixture = CachedClient(cache: cache, headers: ["Cache-Control": "max-age=10", "Vary": "Accept"])
    for round in 0..<20 {
      #expect(try await fixture.get(headers: ["Authorization": "a"]).source == .network, "round \(round)")
      // Not flushed: the file may be written before the invalidation, but never after it.
      _ = try await fixture.get(.delete)
    }
  }

  /// A cache whose writes to its folder can be held.
  private struct HeldWrites {
    let cache: HTTPCache
    let folder: CacheFolder
    private let isHeld = Lock(false)
    private let writes = DispatchSemaphore(value: 0)

    init(in scratch: Scratch, memoryBytes: Int = 0) throws {
      folder = try CacheFolder(scratch.url, limit: 1 << 20) { [isHeld, writes] point in
        if point == .created, isHeld.withLock(\.self) { writes.wait() }
      }
      var options = HTTPCache.Options()
      options.memoryBytes = memoryBytes
      cache = HTTPCache(options, folder)
    }

    func hold() { isHeld.withLock { $0 = true } }

    /// Whether a change of the URL's entries is pending, or for an empty URL, whether someone waits for all changes.
    func hasPending(_ url: String) -> Bool { folder.accounts.withLock { $0.pending[url] != nil } }

    /// Lets the one write go on that is held.
    func release() {
      isHeld.withLock { $0 = false }
      writes.signal()
    }
  }

  @Test(arguments: [304, 302]) func `a stale entry is not served while its removal or its successor is pending`(
    status: Int
  ) async throws {
    let writes = try HeldWrites(in: scratch)
    let count = Lock(0)
    let fixture = CachedClient(cache: writes.cache) { _ throws(TransportError) in
      let number = count.withLock { count in
        count += 1
        return count
      }
      switch number {
      case 1: return .stub(headers: ["Cache-Control": "max-age=1, stale-if-error=100", "ETag": "\"1\""])
      case 2: return .stub(headers: ["Cache-Control": "max-age=9"])
      case 3:
        return .stub(
          status: status, headers: ["ETag": "\"other\"", "Location": "/other", "Cache-Control": "max-age=9"])
      default: throw .connection(.lost, detail: "")
      }
    }
    _ = try await fixture.get()
    await fixture.cache.waitUntilIdle()
    fixture.date.advance(by: 9)
    writes.hold()
    _ = try await fixture.get(.get, "held")
    let fetch = Task { try await fixture.get() }
    #expect(await eventually { fixture.stub.requests.count == 4 })
    writes.release()
    await #expect(throws: FetchError.self) { try await fetch.value }
  }

  @Test(.timeLimit(.minutes(1)), arguments: [nil, 404])
  func `a failure does not wait for the folder if no pending change concerns it`(status: Int?) async throws {
    let writes = try HeldWrites(in: scratch)
    let isBroken = Lock(false)
    let fixture = CachedClient(cache: writes.cache) { request throws(TransportError) in
      guard isBroken.withLock(\.self), !request.url.path.hasSuffix("held") else {
        return .stub(headers: ["Cache-Control": "max-age=1, stale-if-error=100"])
      }
      guard let status else { throw .connection(.lost, detail: "") }
      return .stub(status: status)
    }
    _ = try await fixture.get()
    await fixture.cache.waitUntilIdle()
    fixture.date.advance(by: 9)
    isBroken.withLock { $0 = true }
    writes.hold()
    _ = try await fixture.get(.get, "held")
    let hasEnded = Lock(false)
    let fetch = Task {
      defer { hasEnded.withLock { $0 = true } }
      return try await fixture.get().source
    }
    #expect(await eventually { hasEnded.withLock(\.self) })
    writes.release()
    let source = try? await fetch.value
    #expect(source == (status == nil ? .stale : nil))
  }

  @Test func `a fetch cancelled while it waits for the folder is not served a stale entry`() async throws {
    let writes = try HeldWrites(in: scratch)
    let isOnline = Lock(true)
    let fixture = CachedClient(cache: writes.cache) { _ throws(TransportError) in
      guard isOnline.withLock(\.self) else { throw .connection(.lost, detail: "") }
      return .stub(headers: ["Cache-Control": "max-age=1, stale-if-error=100"])
    }
    writes.hold()
    _ = try await fixture.get()
    fixture.date.advance(by: 9)
    isOnline.withLock { $0 = false }
    let fetch = Task { try await fixture.get() }
    #expect(await eventually { writes.hasPending("") })
    fetch.cancel()
    writes.release()
    await #expect(throws: FetchError.self) { try await fetch.value }
    #expect(fixture.stub.requests.count == 2)
  }

  @Test func `an entry that is read while its removal is pending does not reappear after it`() async throws {
    let writes = try HeldWrites(in: scratch, memoryBytes: 1 << 20)
    let fixture = CachedClient(cache: writes.cache, headers: ["Cache-Control": "max-age=100"])
    #expect(try await fixture.text() == "1 network")
    await fixture.cache.waitUntilIdle()
    writes.hold()
    _ = try await fixture.get(.get, "held")
    let removal = Task { await fixture.cache.remove(fixture.url) }
    #expect(await eventually { writes.hasPending(fixture.url.absoluteString) })
    #expect(try await fixture.text() == "3 network")
    writes.release()
    await removal.value
    #expect(try await fixture.text() == "3 fresh")
  }

  static let points = CacheFolder.Point.allCases.map(\.rawValue)

  @Test(arguments: points) func `after a kill at a named point of writing, the cached file is the old or the new one`(
    point: String
  ) async throws {
    let path = scratch.url.path
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, point = point as String] in
      let isArmed = Lock(false)
      let folder = try CacheFolder(URL(filePath: path), limit: 1 << 20) { reached in
        if reached.rawValue == point, isArmed.withLock({ $0 }) { kill(getpid(), SIGKILL) }
      }
      folder.set(CacheFolderTests.url, "", CacheFolderTests.entry(1, count: 50_000)) { true }
      await folder.waitUntilIdle()
      isArmed.withLock { $0 = true }
      folder.set(CacheFolderTests.url, "", CacheFolderTests.entry(2, count: 60_000)) { true }
      await folder.waitUntilIdle()
    }
    let folder = try CacheFolder(scratch.url, limit: 1 << 20)
    await folder.waitUntilIdle()
    let body = try #require(await folder.entry(Self.url, "")).body
    #expect(body == Self.body(point == "renamed" ? 2 : 1, count: point == "renamed" ? 60_000 : 50_000))
    let shard = folder.names(Self.url).shard
    #expect(folder.files(in: shard).count == 1, "the unfinished file has been removed")
  }

  @Test func `after a kill at any moment every cached file is whole`() async throws {
    let path = scratch.url.path
    var random = SplitMix.printed()
    for _ in 0..<5 {
      let delay = Int.random(in: 0...20_000, using: &random)
      let seed = UInt64.random(in: 0...UInt64.max, using: &random)
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = path as String, delay = delay as Int, seed = seed as UInt64] in
        let folder = try CacheFolder(URL(filePath: path), limit: 8 << 20)
        var random = SplitMix(seed: seed)
        // Any moment will do: that is what is tested.
        DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(delay)) { kill(getpid(), SIGKILL) }
        for number in 0... {
          let size = Int.random(in: 10...200_000, using: &random)
          folder.set("u\(number % 10)", "", CacheFolderTests.entry(number, count: size)) { true }
          await folder.waitUntilIdle()
        }
      }
      let folder = try CacheFolder(scratch.url, limit: 8 << 20)
      await folder.waitUntilIdle()
      for number in 0..<10 {
        guard FileManager.default.fileExists(atPath: folder.path("u\(number)", "")) else { continue }
        let entry = await folder.entry("u\(number)", "")
        #expect(entry.map { Self.isWhole($0.body) } == true)
      }
    }
  }

  @Test func `two processes that share a cache folder see each other's entries whole`() async throws {
    let path = scratch.url.path
    async let other: Void = {
      await #expect(processExitsWith: .success) { [path = path as String] in
        do {
          try await CacheFolderTests.hammer(URL(filePath: path), seed: 1)
        } catch {
          FileHandle.standardError.write(Data("\(error)\n".utf8))
          exit(1)
        }
      }
    }()
    try await Self.hammer(scratch.url, seed: 2)
    await other
    let folder = try CacheFolder(scratch.url, limit: 300_000)
    await folder.waitUntilIdle()
    #expect(folder.bytes <= 300_000)
    for shard in folder.shards() {
      #expect(folder.files(in: shard).allSatisfy { !$0.name.hasPrefix("new-") })
    }
  }

  private struct CorruptEntryError: Error {}

  private static func hammer(_ directory: URL, seed: UInt64) async throws {
    let folder = try CacheFolder(directory, limit: 300_000)
    var random = SplitMix(seed: seed)
    for number in 0..<600 {
      let url = "u\(Int.random(in: 0..<20, using: &random))"
      switch Int.random(in: 0..<20, using: &random) {
      case 0: await folder.removeAll(of: url)
      case 1..<8:
        folder.set(url, "", entry(number, count: Int.random(in: 10...40_000, using: &random))) { true }
        if number.isMultiple(of: 8) { await folder.waitUntilIdle() }
      default:
        if let entry = await folder.entry(url, ""), !isWhole(entry.body) { throw CorruptEntryError() }
      }
    }
    await folder.waitUntilIdle()
    if let failure = folder.failure { throw failure }
  }

  @Test func `the bytes of a cache file stay what earlier versions wrote`() {
    let response = CacheEntry.response(
      StoredResponse(
        status: 203, version: ResponseHead.Version(major: 1, minor: 1),
        headers: ["Content-Type": "text/plain", "ETag": "\"ü\""], body: Data("body".utf8),
        requested: Date(timeIntervalSince1970: 1.5), received: Date(timeIntervalSince1970: 2)))
    let bytes = [response, .varying(["accept", "x-y"])].flatMap { CacheFile.encoded($0, url: "http://a/?q", key: "k") }
    #expect(SHA256.hexDigest(of: Data(bytes)) == "8d6c956aadfc38a65f8cedc0f4a92e3c2eb3c18d2cc14674fc29ef742e9cdc3c")
  }
}
