import Foundation
import Testing

@testable import FetchKit

@Suite struct DownloadStateMachineTests {
  var downloads: DownloadStateMachine
  let request: StoredRequest

  init() throws {
    downloads = Self.downloads(JournalState())
    request = StoredRequest(HTTPRequest(.get, try #require(URL(string: "http://example.com/a"))), .standard)
  }

  static func downloads(_ state: JournalState, limit: Int = 2) -> DownloadStateMachine {
    var policy = RetryPolicy(maxAttempts: 3)
    policy.baseDelay = .seconds(1)
    return DownloadStateMachine(state, opening: 1, limit: limit, policy: policy)
  }

  /// An action in a few words.
  static func text(_ action: DownloadStateMachine.Action) -> String {
    switch action {
    case .append(let entries): "append(" + entries.map(text).joined(separator: " ") + ")"
    case .note(let entries): "note(" + entries.map(text).joined(separator: " ") + ")"
    case .begin(let id): "begin \(id)"
    case .stop(let id): "stop \(id)"
    case .wait(let id, let delay): "wait \(id) \(delay)"
    case .endWait(let id): "endWait \(id)"
    case .removePart(let number): "removePart \(number)"
    case .deliver(let event): "deliver \(event.number)"
    case .forgotten(_, let name): "forgotten \(name)"
    }
  }

  static func text(_ entry: JournalEntry) -> String {
    switch entry {
    case .record(let record): "record:\(record.id):\("\(record.phase)".prefix { $0 != "(" })"
    case .received(_, _, let bytes): "received:\(bytes)"
    case .removed(let id): "removed:\(id)"
    case .event(let event): "event:\(event.number)"
    case .acknowledged(let number): "acknowledged:\(number)"
    case .moving(let id, _, let placement): "moving:\(id):\(placement.event)"
    case .moved(let id): "moved:\(id)"
    case .synced(let id): "synced:\(id)"
    case .boot(let boot): "boot:\(boot)"
    case .origin, .next: "other"
    }
  }

  mutating func start(
    _ name: String, _ priority: RequestPriority = .normal, digest: DownloadDigest? = nil
  ) -> (DownloadSession.Start, [String]) {
    let (start, actions) = downloads.start(
      request, named: name, priority: priority, destination: "Files/\(name)", digest: digest)
    return (start, actions.map(Self.text))
  }

  mutating func end(_ id: DownloadStateMachine.ID, _ end: TransferEnd) -> [String] {
    downloads.ended(id, end, random: 1) { true }.map(Self.text)
  }

  mutating func willMove(_ id: DownloadStateMachine.ID, checksum: UInt32? = nil) -> (Bool, [String]) {
    let part = downloads.state.records[id]?.part ?? 0
    let (isWanted, actions) = downloads.willMove(
      id, part: part, inode: 77, length: 5, checksum: checksum, metadata: FileMetadata())
    return (isWanted, actions.map(Self.text))
  }

  /// Moves the file into place.
  mutating func finish(_ id: DownloadStateMachine.ID, checksum: UInt32? = nil) -> [String] {
    willMove(id, checksum: checksum).1 + end(id, .finished)
  }

  mutating func fail(_ id: DownloadStateMachine.ID, isTransient: Bool = true) -> [String] {
    end(id, .failed(.timeout, isTransient: isTransient, retryAfter: nil))
  }

  static func texts(_ actions: [DownloadStateMachine.Action]) -> [String] { actions.map(text) }

  @Test mutating func `the journal is written before a transfer begins`() {
    #expect(start("one") == (.started, ["append(record:1:active)", "begin 1"]))
    #expect(start("one") == (.joined, []))
    #expect(start("two") == (.started, ["append(record:3:active)", "begin 3"]))
    #expect(start("three") == (.started, ["append(record:5:active)"]))
    #expect(finish(1) == ["append(moving:1:7)", "append(moved:1)", "deliver 7", "begin 5"])
  }

  @Test mutating func `the download with the highest priority starts first, then the earliest`() {
    for name in ["a", "b"] { _ = start(name) }
    _ = start("low", .low)
    _ = start("normal")
    _ = start("high", .high)
    _ = start("high 2", .high)
    #expect(Self.texts(downloads.setPriority(.high, of: 5)) == ["append(record:5:active)"])
    var begun: [String] = []
    for id in [1, 3, 9, 11, 5] as [UInt64] {
      begun += finish(id).filter { $0.hasPrefix("begin") }
    }
    #expect(begun == ["begin 9", "begin 11", "begin 5", "begin 7"])
  }

  @Test mutating func `a higher limit lets more downloads start`() {
    for name in ["a", "b", "c", "d"] { _ = start(name) }
    #expect(Self.texts(downloads.setLimit(3)) == ["begin 5"])
    #expect(Self.texts(downloads.setLimit(0)) == [])
    #expect(finish(1).last == "deliver 9")
  }

  @Test mutating func `pausing stops a transfer, and resuming starts again when it has ended`() {
    _ = start("one")
    #expect(Self.texts(downloads.pause(1)) == ["append(record:1:paused)", "stop 1"])
    #expect(Self.texts(downloads.resume(1)) == ["append(record:1:active)"])
    #expect(end(1, .stopped) == ["begin 1"])
    #expect(Self.texts(downloads.pause(1)) == ["append(record:1:paused)", "stop 1"])
    #expect(end(1, .stopped) == [])
    #expect(downloads.isIdle)
    #expect(start("one") == (.joined, ["append(record:1:active)", "begin 1"]))
  }

  @Test mutating func `a transient failure is retried as often as the policy says`() {
    _ = start("one")
    #expect(fail(1) == ["wait 1 1.0 seconds"])
    #expect(downloads.activity(of: 1) == .waitingToRetry)
    #expect(!downloads.isIdle)
    #expect(Self.texts(downloads.waited(1)) == ["begin 1"])
    #expect(fail(1) == ["wait 1 2.0 seconds"])
    #expect(start("one") == (.joined, ["endWait 1", "begin 1"]))
    #expect(Self.texts(downloads.waited(1)) == [])
    #expect(fail(1) == ["append(record:1:failed event:3)", "deliver 3"])
  }

  @Test mutating func `progress beyond the previous maximum resets the count of attempts`() {
    _ = start("one")
    for round in 1...10 {
      #expect(
        Self.texts(
          downloads.received(
            Int64(round), of: 1, part: 2, total: 100, validator: nil, metadata: FileMetadata())
        ).count == 1)
      #expect(fail(1) == ["wait 1 1.0 seconds"])
      _ = downloads.waited(1)
    }
    // No more than before: the attempts run out.
    _ = downloads.received(10, of: 1, part: 2, total: 100, validator: nil, metadata: FileMetadata())
    #expect(fail(1) == ["wait 1 2.0 seconds"])
    _ = downloads.waited(1)
    #expect(fail(1).last == "deliver 3")
  }

  @Test mutating func `a permanent failure keeps the part unless it is useless`() {
    _ = start("one")
    #expect(end(1, .failed(.diskFull, isTransient: false, retryAfter: nil)).last == "deliver 3")
    #expect(start("one") == (.continued, ["append(record:1:active)", "begin 1"]))
    #expect(downloads.record(named: "one")?.part == 2)
    let tooLarge = end(1, .failed(.tooLarge(limit: 1), isTransient: false, retryAfter: nil))
    #expect(tooLarge == ["append(record:1:failed event:5)", "deliver 5", "removePart 2"])
    let digest = DownloadDigest(bytes: [UInt8](repeating: 1, count: 32))
    #expect(
      start("one", digest: digest)
        == (.started, ["append(removed:1)", "removePart 4", "append(record:6:active)", "begin 6"]))
  }

  @Test mutating func `cancelling ends with an event, and later reports of the transfer are ignored`() {
    _ = start("one")
    #expect(
      Self.texts(downloads.cancel(1)) == ["stop 1", "append(record:1:failed event:4)", "deliver 4", "removePart 2"])
    #expect(Self.texts(downloads.cancel(1)) == [])
    let late = downloads.received(9, of: 1, part: 2, total: nil, validator: nil, metadata: FileMetadata())
    #expect(late.isEmpty)
    #expect(willMove(1) == (false, []))
    #expect(downloads.startOver(1, part: 2).0 == nil)
    #expect(end(1, .stopped) == [])
    #expect(!downloads.isIdle)
    #expect(Self.texts(downloads.acknowledge(4)) == ["append(acknowledged:4 removed:1)"])
    #expect(downloads.isIdle)
    #expect(downloads.records.isEmpty)
  }

  @Test mutating func `a removed download leaves no record, part or event`() {
    _ = start("one")
    _ = end(1, .failed(.timeout, isTransient: false, retryAfter: nil))
    #expect(
      Self.texts(downloads.forget(1)) == ["append(acknowledged:3 removed:1)", "removePart 2", "forgotten one"])
    #expect(downloads.takeEvent() == nil)
    #expect(downloads.isIdle)
    #expect(start("one").0 == .started)
  }

  @Test mutating func `an announced move cannot be stopped`() {
    _ = start("one")
    #expect(willMove(1) == (true, ["append(moving:1:3)"]))
    #expect(downloads.pause(1).isEmpty)
    #expect(downloads.cancel(1).isEmpty)
    #expect(end(1, .finished) == ["append(moved:1)", "deliver 3"])
  }

  @Test mutating func `a failed move leaves a part to resume from`() {
    _ = start("one")
    _ = willMove(1)
    #expect(end(1, .failed(.noPermission(path: "/x"), isTransient: false, retryAfter: nil)).last == "deliver 4")
    #expect(downloads.record(named: "one")?.received == 5)
    #expect(Self.texts(downloads.resume(1)) == ["append(record:1:active)", "begin 1"])
  }

  @Test mutating func `starting over uses a new part that older reports cannot refer to`() {
    _ = start("one")
    #expect(downloads.startOver(1, part: 2) == (2, []), "there was nothing to discard")
    _ = downloads.received(9, of: 1, part: 2, total: 10, validator: .entityTag("\"a\""), metadata: FileMetadata())
    let (part, actions) = downloads.startOver(1, part: 2)
    #expect(part == 3)
    #expect(Self.texts(actions) == ["append(record:1:active)", "removePart 2"])
    let old = downloads.received(9, of: 1, part: 2, total: 10, validator: nil, metadata: FileMetadata())
    #expect(old.isEmpty)
    #expect(downloads.record(named: "one")?.received == 0)
  }

  @Test mutating func `a relaunched program continues where the journal ends`() throws {
    _ = start("active")
    _ = start("paused")
    _ = downloads.pause(3)
    _ = end(3, .stopped)
    _ = start("moved")
    _ = willMove(5)
    _ = start("not moved")
    _ = end(1, .stopped)
    let state = downloads.state
    downloads = Self.downloads(state, limit: 4)
    #expect(
      Self.texts(downloads.open(moved: [5])) == ["append(moved:5)", "deliver 7", "removePart 6", "begin 1", "begin 8"])
    downloads.offer(7)
    #expect(downloads.takeEvent()?.number == 7)
    #expect(downloads.takeEvent() == nil)

    downloads = Self.downloads(state, limit: 4)
    #expect(Self.texts(downloads.open(moved: [])) == ["append(record:5:active)", "begin 1", "begin 5", "begin 8"])
    #expect(downloads.record(named: "moved")?.received == 5)

    downloads = Self.downloads(state, limit: 4)
    #expect(
      Self.texts(downloads.open(moved: [], lost: [5])) == [
        "append(record:5:active)", "removePart 6", "begin 1", "begin 5", "begin 8",
      ])
    #expect(downloads.record(named: "moved")?.received == 0)
  }

  @Test mutating func `a file lost in a power cut is downloaded again, and its old end is not reported`() {
    _ = start("one")
    _ = finish(1, checksum: 9)
    downloads = Self.downloads(downloads.state)
    #expect(
      Self.texts(downloads.open(moved: [], lost: [1])) == [
        "append(record:1:active acknowledged:3)", "removePart 2", "begin 1",
      ])
    #expect(downloads.takeEvent() == nil)
    #expect(finish(1).contains("deliver 5"))
  }

  @Test mutating func `a file that is synced to the disk needs no checksum any more`() {
    _ = start("one")
    _ = start("two")
    _ = finish(1, checksum: 9)
    _ = finish(3)
    #expect(Self.texts(downloads.synced([1, 3, 99])) == ["note(synced:1)"])
    #expect(downloads.synced([1]).isEmpty)
  }

  @Test mutating func `an event is delivered once, and again after a relaunch`() {
    _ = start("one")
    _ = finish(1)
    #expect(downloads.takeEvent() == nil, "the event waits until it is offered")
    downloads.offer(3)
    #expect(downloads.takeEvent()?.number == 3)
    #expect(downloads.takeEvent() == nil)
    downloads.offer(3)
    #expect(downloads.takeEvent()?.number == 3)
    downloads = Self.downloads(downloads.state)
    #expect(downloads.takeEvent()?.number == 3)
    _ = downloads.acknowledge(3)
    #expect(downloads.acknowledge(3).isEmpty)
    downloads.offer(3)
    #expect(downloads.takeEvent() == nil)
  }

  @Test mutating func `acknowledging an outdated failure leaves the later result`() {
    _ = start("one")
    _ = fail(1, isTransient: false)
    _ = downloads.resume(1)
    _ = finish(1)
    #expect(Self.texts(downloads.acknowledge(3)) == ["append(acknowledged:3)"])
    #expect(downloads.record(named: "one")?.id == 1)
    #expect(Self.texts(downloads.acknowledge(4)) == ["append(acknowledged:4 removed:1)"])
    _ = start("two")
    _ = fail(5, isTransient: false)
    _ = downloads.resume(5)
    _ = downloads.cancel(5)
    #expect(Self.texts(downloads.acknowledge(7)) == ["append(acknowledged:7)"])
    #expect(downloads.record(named: "two")?.id == 5)
  }

  @Test mutating func `a download that the journal refused does not reserve its name`() {
    downloads = Self.downloads(JournalState(), limit: 1)
    _ = start("one")
    _ = downloads.withdraw(1)
    #expect(downloads.isIdle)
    #expect(downloads.records.isEmpty)
    #expect(start("two").1.last == "begin 3")
  }

  @Test mutating func `a move that could not be made may be announced again`() {
    _ = start("one")
    _ = willMove(1)
    #expect(Self.texts(downloads.didNotMove(1, part: 9)) == [])
    #expect(Self.texts(downloads.didNotMove(1, part: 2)) == ["append(record:1:active)"])
    #expect(downloads.record(named: "one")?.received == 5)
    #expect(willMove(1) == (true, ["append(moving:1:4)"]))
    #expect(end(1, .finished) == ["append(moved:1)", "deliver 4"])
  }

  @Test mutating func `a restarted name does not take the previous download's event`() {
    _ = start("one")
    _ = finish(1)
    downloads.offer(3)
    #expect(start("one").0 == .started)
    #expect(downloads.takeEvent()?.download == 1)
    #expect(Self.texts(downloads.acknowledge(3)) == ["append(acknowledged:3)"])
    #expect(downloads.record(named: "one")?.id == 4)
  }
}
