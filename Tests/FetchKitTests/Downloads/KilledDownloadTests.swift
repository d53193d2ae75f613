import FetchKitTesting
import Foundation
import LarderTestSupport
import Testing

@testable import FetchKit

/// A downloading process is killed again and again; `LARDER_KILLS` sets the number of random kills (default 20).
@Suite(.serialized, .timeLimit(.minutes(10))) struct KilledDownloadTests {
  static let interval = 16 << 10
  static let file = RangedFile(count: 256 << 10)
  static let kills = ProcessInfo.processInfo.environment["LARDER_KILLS"].flatMap(Int.init) ?? 20

  let server: LoopbackServer

  init() throws {
    server = try LoopbackServer()
    server.on(.get, "/file") { Self.file.answer($0).dripping(bytes: 8 << 10, every: .milliseconds(2)) }
  }

  /// One download from its start to its acknowledged end, in as many processes as it takes.
  struct Life {
    let probe: Probe
    let server: LoopbackServer
    let scratch: Scratch
    /// The folder on the other volume where the file is moved, if any.
    let other: Scratch?
    var tokens: Set<String> = []
    var reports = 0
    var kills = 0
    /// Whether the file has been seen in its place.
    private var isInPlace = false
    private var requestsBefore: Int
    private var partBefore: Int?

    init(_ server: LoopbackServer, isDurable: Bool = false, otherVolume: URL? = nil) throws {
      scratch = try Scratch()
      other = try otherVolume.map(Scratch.init)
      self.server = server
      requestsBefore = server.requests.count
      probe = Probe(
        directory: scratch.url, url: server.url.appending(path: "file"), digest: try #require(file.digest),
        interval: Int64(interval), isDurable: isDurable, destination: other?.url.appending(path: "file"))
    }

    /// Records how one process ended; returns whether the download has reached its end.
    mutating func note(_ outcome: Probe.Outcome, _ what: String) throws -> Bool {
      try #require(outcome.wasKilled || outcome.lines.last == "closed", "\(what): \(outcome)")
      let reported = outcome.tokens("finished")
      #expect(outcome.tokens("failed").isEmpty, "\(what): \(outcome.lines)")
      #expect(reported.count <= 1, "\(what): \(outcome.lines)")
      tokens.formUnion(reported)
      reports += reported.count
      kills += outcome.wasKilled ? 1 : 0

      let requests = server.requests.dropFirst(requestsBefore)
      requestsBefore = server.requests.count
      if let partBefore, let request = requests.first {
        let offset = RangedFile.offset(of: request) ?? 0
        #expect(offset <= partBefore, "\(what): a gap is left")
        #expect(offset == partBefore, "\(what): \(partBefore - offset) bytes are fetched twice")
      }
      #expect(
        requests.count <= (isInPlace ? 0 : 1),
        "\(what): a process requests the file at most once, and not at all if it is in place")
      isInPlace = FileManager.default.fileExists(atPath: probe.file.path)
      partBefore = try probe.partLength()
      return !outcome.wasKilled
    }

    func checkEnd() async throws {
      #expect(try Data(contentsOf: probe.file) == file.data)
      #expect(tokens.count == 1, "reported \(reports) times with the tokens \(tokens)")
      #expect(try probe.parts().isEmpty)
      if let other { #expect(try FileManager.default.contentsOfDirectory(atPath: other.url.path) == ["file"]) }
      let session = try DownloadSession(identifier: "probe", directory: scratch.url)
      #expect(await session.tasks().isEmpty)
      #expect(session.core.isIdle)
      await session.close()
    }
  }

  @Test func `after kills at random moments the downloaded file is whole and the event is delivered`() async throws {
    let seed = UInt64.random(in: 0 ... .max)
    print("seed of the random kills: \(seed)")
    var random = SplitMix(seed: seed)
    var kills = 0
    while kills < Self.kills {
      var life = try Life(
        server, isDurable: .random(using: &random), otherVolume: Bool.random(using: &random) ? Scratch.otherVolume : nil
      )
      var hasEnded = false
      while !hasEnded {
        let isKilled = life.kills < 8 && kills + life.kills < Self.kills
        let running = try life.probe.start()
        if isKilled {
          // Any moment will do: that is what is tested.
          try await Task.sleep(for: .microseconds(Int.random(in: 0...120_000, using: &random)))
          running.kill()
        }
        hasEnded = try life.note(await running.outcome(), "after \(kills + life.kills) kills of seed \(seed)")
      }
      try await life.checkEnd()
      kills += max(1, life.kills)
    }
  }

  @Test func `bytes on the disk are not requested again after a kill before the first sync`() async throws {
    let file = RangedFile(count: 3 << 20)
    let gate = LoopbackGate()
    server.on(.get, "/file") { request in
      request.headers["Range"] == nil
        ? file.answer(request).held(at: gate, after: .body(bytes: 2 << 20)) : file.answer(request)
    }
    defer { gate.open() }
    let scratch = try Scratch()
    let probe = Probe(
      directory: scratch.url, url: server.url.appending(path: "file"), digest: try #require(file.digest),
      interval: 8 << 20)
    let running = try probe.start(environment: ["PROBE_PATIENT": "1"])
    while try probe.partLength() != 2 << 20 { try await Task.sleep(for: .milliseconds(1)) }
    running.kill()
    #expect(await running.outcome().wasKilled)
    #expect(try await probe.run().tokens("finished").count == 1)
    #expect(try Data(contentsOf: probe.file) == file.data)
    #expect(server.requests.map { $0.headers["Range"] } == [nil, "bytes=\(2 << 20)-"])
    #expect(server.requests.last?.headers["If-Range"] == file.tag)
  }

  static let points = DownloadSession.Point.allCases.filter { $0 != .afterStaging }
  static let first = points.map { "\($0.rawValue):1" } + ["beforeDone:1", "afterDone:1"]
  static let later = points.flatMap { point in [2, 3, 5].map { "\(point.rawValue):\($0)" } }

  @Test(arguments: first + later)
  func `after a kill at a named point the downloaded file is whole and the event is delivered`(
    point: String
  ) async throws {
    try await run(Life(server), killedAt: point)
  }

  @Test(arguments: first) func `after a kill at a named point while an end waits for the disk, the end is reported`(
    point: String
  ) async throws {
    try await run(Life(server, isDurable: true), killedAt: point)
  }

  // Where there is no other volume, as `/dev/shm` is on Linux, nothing can be moved to it.
  @Test(.enabled(if: Scratch.otherVolume != nil), arguments: first + ["afterStaging:1"])
  func `after a kill during a move to another volume only the whole file is left there`(point: String) async throws {
    try await run(Life(server, otherVolume: Scratch.otherVolume), killedAt: point)
  }

  private func run(_ life: Life, killedAt point: String) async throws {
    var life = life
    // There is one move per life; a point that is not reached is skipped.
    var hasEnded = try life.note(try await life.probe.run(killAt: point), point)
    if point.hasSuffix(":1") { #expect(life.kills == 1, "\(point) was not reached") }
    // The next process is killed at the same point, too.
    if !hasEnded { hasEnded = try life.note(try await life.probe.run(killAt: point), point) }
    while !hasEnded { hasEnded = try life.note(try await life.probe.run(), point) }
    try await life.checkEnd()
  }

  @Test func `bytes of an earlier boot are removed, whether or not a program is killed after it`() async throws {
    let file = RangedFile(count: 1 << 20)
    let gate = LoopbackGate()
    defer { gate.open() }
    server.on(.get, "/file") { file.answer($0).held(at: gate, after: .body(bytes: 1 << 19)) }
    let scratch = try Scratch()
    func open(_ boot: String, downloads: Int = 4) throws -> DownloadSession {
      try DownloadSession(identifier: "probe", directory: scratch.url) {
        $0.boot = boot
        $0.syncPeriod = .seconds(3600)
        $0.maxConcurrentDownloads = downloads
      }
    }
    let probe = Probe(
      directory: scratch.url, url: server.url.appending(path: "file"), digest: try #require(file.digest), interval: 0)
    let first = try open("first")
    try await first.start(probe.url, named: "file")
    while try probe.partLength() != 1 << 19 { try await Task.sleep(for: .milliseconds(1)) }
    // What the system had when the power failed. The end of the part is garbage, as a disk may leave it.
    let disk = try Scratch()
    try FileManager.default.copyItem(at: scratch.url.appending(path: "probe"), to: disk.url.appending(path: "probe"))
    await first.close()
    try FileManager.default.removeItem(at: scratch.url.appending(path: "probe"))
    try FileManager.default.copyItem(at: disk.url.appending(path: "probe"), to: scratch.url.appending(path: "probe"))
    let part = try #require(try probe.parts().first { $0.pathExtension == "part" })
    try Data(repeating: 0, count: 1 << 19).write(to: part)
    // A session that does not get to the download, and ends without notice: its files are copied.
    let second = try open("second", downloads: 0)
    try FileManager.default.removeItem(at: disk.url.appending(path: "probe"))
    try FileManager.default.copyItem(at: scratch.url.appending(path: "probe"), to: disk.url.appending(path: "probe"))
    await second.close()
    try FileManager.default.removeItem(at: scratch.url.appending(path: "probe"))
    try FileManager.default.copyItem(at: disk.url.appending(path: "probe"), to: scratch.url.appending(path: "probe"))
    gate.open()
    let third = try open("second")
    #expect(try await Data(contentsOf: third.result(of: "file").get().url) == file.data)
    await third.close()
  }
}
