internal import Foundation

/// One attempt at a download, from the request to the file in place.
///
/// Its task runs on the session's threads because it waits for the disk. Before each step, it consults the session's
/// core, which first writes the step to the journal.
struct DownloadTransfer {
  private static let refusals: Set<Int> = [400, 401, 403, 410]
  private static let mostInMemory: Int64 = 256 << 10

  private let mostInMemory: Int64
  private let core: DownloadCore
  private let record: DownloadRecord
  private let configuration: DownloadSession.Configuration
  private var part: DownloadPart
  private var meter: ProgressMeter
  private var lastSync = Duration.zero
  private var isResumed: Bool

  init(_ record: DownloadRecord, _ core: DownloadCore) {
    self.core = core
    self.record = record
    configuration = core.configuration
    mostInMemory = min(Self.mostInMemory, core.configuration.syncInterval)
    part = DownloadPart(record, core.files, mostInMemory: Int(clamping: mostInMemory))
    meter = ProgressMeter(name: record.name, interval: core.configuration.progressInterval)
    isResumed = record.received > 0
  }

  /// The part that the transfer last wrote to.
  var partNumber: UInt64 { part.number }

  /// Runs to the end. Cancelling the task stops the transfer after a sync of all received bytes.
  mutating func perform() async -> TransferEnd {
    do throws(TransferEnd) {
      try await download()
      return .finished
    } catch {
      return error
    }
  }

  private mutating func download() async throws(TransferEnd) {
    let isWhole = try TransferEnd.asDisk { () throws(DownloadError) in try part.open() }
    if !isWhole { try startOver() }
    lastSync = core.time.now()
    var refused: Int?
    while !part.isComplete {
      if part.received > 0, part.resumption == nil { try startOver() }
      let resumption = part.resumption
      let request = try await request(resumption, refused: refused)
      let stream: FetchStream
      do throws(FetchError) {
        stream = try await configuration.client.pipeline.stream(request, within: nil)
      } catch {
        guard case .status(let failure, _) = error else { throw end(error) }
        if failure.status == 416, resumption != nil {
          try startOver()
        } else if refused == nil, configuration.provider != nil, Self.refusals.contains(failure.status),
          !failure.isRateLimit
        {
          refused = failure.status
        } else {
          throw end(error)
        }
        continue
      }
      refused = nil
      try await receive(stream, resumption)
    }
    try complete()
  }

  private mutating func receive(
    _ stream: FetchStream, _ resumption: ResumeDecision.Resumption?
  ) async throws(TransferEnd) {
    let headers = stream.response.headers
    var end: Int64?
    switch ResumeDecision(status: stream.response.status, headers: headers, resuming: resumption) {
    case .continued(let last, let total):
      part.total = total
      end = last
    case .fromStart(let total, let validator):
      if part.received > 0 || part.validator != nil { try startOver() }
      (part.total, part.validator) = (total, validator)
      part.metadata = FileMetadata(
        suggestedFileName: FileNames.suggested(by: headers), contentCoding: stream.response.codingRemoved)
      // Bytes that reach the disk before a sync count after a kill, but only with their validator. The file is empty
      // before the journal has that.
      if validator != nil, let total, total > mostInMemory {
        try TransferEnd.asDisk { () throws(DownloadError) in try part.make() }
        tell()
      }
      end = total
    case .requestAgain: return try startOver()
    case .fail(let failure): throw TransferEnd(failure)
    }
    let announced = part.total ?? 0
    guard announced <= configuration.maxFileSize else {
      throw TransferEnd(.tooLarge(limit: configuration.maxFileSize))
    }
    var chunks = stream.makeAsyncIterator()
    while let chunk = try await next(&chunks) { try write(chunk, upTo: end) }
    if let end, part.received < end {
      try sync()
      throw .failed(.connection(reason: "the body ended early"), isTransient: true)
    }
    if end == nil { part.end() }
  }

  private mutating func next(_ chunks: inout FetchStream.AsyncIterator) async throws(TransferEnd) -> Data? {
    do throws(FetchError) {
      return try await chunks.next()
    } catch {
      try sync()
      throw end(error)
    }
  }

  private mutating func write(_ chunk: Data, upTo end: Int64?) throws(TransferEnd) {
    let length = part.received + Int64(chunk.count)
    if let end, length > end {
      throw .failed(.wrongLength(expected: end, received: length), isTransient: isResumed)
    }
    guard length <= configuration.maxFileSize else {
      throw TransferEnd(.tooLarge(limit: configuration.maxFileSize))
    }
    var rest = chunk[...]
    while !rest.isEmpty {
      let room = max(1, configuration.syncInterval - part.unsynced)
      let piece = rest.prefix(Int(clamping: room))
      do throws(DownloadError) {
        try part.append(piece)
      } catch {
        // The bytes written before this error count if the disk accepts at least those.
        try sync()
        throw TransferEnd(error)
      }
      rest = rest.dropFirst(piece.count)
      let now = core.time.now()
      if let progress = meter.note(part.received, of: part.total, at: now) { core.hub.report(progress, of: record.id) }
      if part.unsynced >= configuration.syncInterval || now - lastSync >= configuration.syncPeriod {
        try sync()
      }
    }
  }

  /// Syncs the bytes to disk, then records them in the journal.
  ///
  /// Order suffices unless an event promises more: the journal, which counts the bytes, is written and synced later.
  private mutating func sync() throws(TransferEnd) {
    lastSync = core.time.now()
    guard part.unsynced > 0 else { return }
    configuration.atPoint?(.beforeSync)
    try TransferEnd.asDisk { () throws(DownloadError) in
      try part.sync(configuration.durability == .periodic ? .ordered : .complete)
    }
    configuration.atPoint?(.afterSync)
    tell()
  }

  /// Reports what is on disk. Repeating the call changes nothing.
  private func tell() {
    core.change {
      $0.downloads.received(
        part.synced, of: record.id, part: part.number, total: part.total, validator: part.validator,
        metadata: part.metadata)
    }
  }

  private mutating func startOver() throws(TransferEnd) {
    guard let number = core.startOver(record.id, part: part.number) else { throw .stopped }
    isResumed = false
    part.startOver(number)
  }
}

extension DownloadTransfer {
  private func request(
    _ resumption: ResumeDecision.Resumption?, refused: Int?
  ) async throws(TransferEnd) -> HTTPRequest {
    var request = record.request.request
    if let provider = configuration.provider {
      let task = DownloadTask(record, state: .running, received: part.received, in: core.files)
      do {
        request = try await DownloadCore.$providerSession.withValue(ObjectIdentifier(core)) {
          try await provider(task, refused)
        }
      } catch let error as FetchError {
        throw end(error)
      } catch {
        if Task.isCancelled { throw .stopped }
        throw .failed(.request(reason: "the provider failed: \(type(of: error))"), isTransient: true)
      }
    } else if !record.request.removedSecrets.isEmpty {
      throw TransferEnd(.request(reason: "it needs credentials, but no provider is set"))
    }
    guard request.method == .get, request.body.isEmpty else {
      throw TransferEnd(.request(reason: "only a GET can be downloaded"))
    }
    // A file comes from the server, even if the provider's request accepts only stored responses.
    request.options.cache = .bypass
    request.headers["Accept-Encoding"] = "identity"
    request.headers["Range"] = resumption.map { "bytes=\($0.offset)-" }
    request.headers["If-Range"] = resumption?.validator.text
    var timeouts = request.options.timeouts ?? configuration.client.configuration.timeouts
    if request.options.timeouts == nil { timeouts.total = nil }
    request.options.timeouts = timeouts
    var limits = request.options.limits ?? configuration.client.configuration.limits
    // Less than no limit at all: a transport may apply its own bound to bodies without a limit.
    limits.body = Int(clamping: min(configuration.maxFileSize, .max - 1))
    request.options.limits = limits
    request.options.acceptableStatusCodes = 200..<300
    request.options.retry = RetryPolicy.none
    request.options.priority = record.priority
    return request
  }

  /// Verifies the complete file and moves it into place.
  private mutating func complete() throws(TransferEnd) {
    if let expected = record.digest, let found = part.digest, expected != found {
      throw .failed(.wrongDigest(expected: expected, found: found), isTransient: isResumed)
    }
    let isWanted: Bool
    do throws(TransferEnd) {
      isWanted = try TransferEnd.asDisk { () throws(DownloadError) in try move() }
    } catch {
      // Another attempt at the move needs no second download. The bytes synced by the move have not been reported yet.
      try sync()
      tell()
      throw error
    }
    guard isWanted else { throw .stopped }
    if let progress = meter.note(part.received, of: part.received, at: core.time.now(), mustReport: true) {
      core.hub.report(progress, of: record.id)
    }
  }

  /// Moves the complete part into place. Returns false if it is no longer wanted.
  private mutating func move() throws(DownloadError) -> Bool {
    let destination = core.files.path(stored: record.destination)
    let folder = (destination as NSString).deletingLastPathComponent
    if !DiskFolder.exists(folder) { try DiskFolder.make(folder) }
    let isSameVolume = try DiskFolder.device(folder) == DiskFolder.device(core.files.parts)
    guard isSameVolume else { return try copy(to: destination, in: folder) }
    let isDurable = configuration.durability == .beforeEvent
    let (inode, checksum) = try part.complete(isSynced: isDurable || DiskFolder.exists(destination))
    do throws(DownloadError) {
      let source = core.files.part(part.number)
      guard try moveIfWanted(source, inode: inode, checksum: checksum, to: destination) else {
        return false
      }
    } catch .disk(_, EXDEV) {
      // A volume that is mounted in two locations reports the same device in both.
      // The journal is about to record all bytes as being on disk.
      _ = try part.complete(isSynced: true)
      core.change { $0.downloads.didNotMove(record.id, part: part.number) }
      return try copy(to: destination, in: folder)
    }
    if isDurable {
      try core.syncNames(in: folder)
    } else {
      let unsynced = checksum.map { _ in PendingSync.File(download: record.id, path: destination, inode: inode) }
      core.didMove(unsynced, into: folder)
    }
    return true
  }

  /// Copies the part to the destination's volume first, so that the last step is a rename there too. The copy is
  /// removed if that step does not happen.
  private mutating func copy(to destination: String, in folder: String) throws(DownloadError) -> Bool {
    _ = try part.complete(isSynced: true)
    let copy = StagedCopy(of: part.number, in: folder, core.files, journal: core.journalName)
    try copy.announce()
    do throws(DownloadError) {
      let inode = try part.stage(at: copy.path)
      configuration.atPoint?(.afterStaging)
      let isPlaced = try moveIfWanted(copy.path, inode: inode, checksum: nil, to: destination)
      // A sync on one volume says nothing about the other: the part stays until the new name is on disk.
      if isPlaced { try core.syncNames(in: folder) }
      if isPlaced { DiskFolder.removeIfPossible(core.files.part(part.number)) }
      copy.removeIfPossible()
      return isPlaced
    } catch {
      copy.removeIfPossible()
      throw error
    }
  }

  /// Moves a complete file into place if that is still wanted.
  private func moveIfWanted(
    _ source: String, inode: UInt64, checksum: UInt32?, to destination: String
  ) throws(DownloadError) -> Bool {
    let isWanted = try core.willMove(
      record.id, part: part.number, inode: inode, length: part.received, checksum: checksum,
      metadata: part.metadata)
    guard isWanted else { return false }
    configuration.atPoint?(.beforeMove)
    do throws(DownloadError) {
      try DiskFolder.rename(source, to: destination)
    } catch .disk(_, ENOENT) {
      // The folder was removed after it was last seen.
      try DiskFolder.make((destination as NSString).deletingLastPathComponent)
      try DiskFolder.rename(source, to: destination)
    }
    configuration.atPoint?(.afterMove)
    return true
  }

  private func end(_ error: FetchError) -> TransferEnd {
    TransferEnd(error, configuration.client.configuration, isStopped: Task.isCancelled)
  }
}

extension TransferEnd {
  static func asDisk<Result>(_ body: () throws(DownloadError) -> Result) throws(TransferEnd) -> Result {
    do {
      return try body()
    } catch {
      throw TransferEnd(error)
    }
  }
}
