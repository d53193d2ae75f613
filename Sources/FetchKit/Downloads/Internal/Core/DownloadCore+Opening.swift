internal import Foundation

extension DownloadCore {
  /// The session's locked files, and what has to be done with them.
  struct Opening: Sendable {
    let lock: SessionLock
    let journal: Journal
    let journalName: String
    let corruptBytes: Int
    private let journalState: JournalState
    /// Downloads whose file had been moved into place without being reported.
    let moved: [DownloadRecord]
    fileprivate let lost: Set<ID>
    /// Set if the machine has been restarted since the journal was written.
    fileprivate let boot: String?

    /// Waits for the disk.
    init(_ files: SessionFiles, _ configuration: DownloadSession.Configuration) throws(DownloadSessionError) {
      lock = try SessionLock(files.lock)
      let (journal, opening) = try Journal.open(files.journal, newJournal: .random(in: 1 ... .max))
      self.journal = journal
      journalName = String(opening.state.journal, radix: 16)
      corruptBytes = opening.corruptBytes
      let isSameBoot = configuration.boot != nil && configuration.boot == opening.state.boot
      boot = isSameBoot ? nil : configuration.boot
      let findings = PlacementFindings(opening.state, files, isSameBoot: isSameBoot)
      moved = findings.moved.sorted().compactMap { opening.state.records[$0] }
      lost = findings.lost
      var state = opening.state
      DownloadCore.settleWrittenBytes(in: files, &state, isSameBoot: isSameBoot)
      journalState = state
      let name = journalName
      try DownloadSessionError.asStorage { () throws(DownloadError) in
        try DownloadCore.sweep(files, keeping: opening.state.records.values, of: name)
      }
    }

    func makeStateMachine(_ configuration: DownloadSession.Configuration) -> DownloadStateMachine {
      DownloadStateMachine(
        journalState, opening: .random(in: 0 ... .max), limit: configuration.maxConcurrentDownloads,
        policy: configuration.client.configuration.retry)
    }
  }

  /// Counts bytes that a killed program wrote after its last sync: the system has kept them, and they are synced now.
  /// After a restart of the machine such bytes are removed, before the journal has the new boot.
  private static func settleWrittenBytes(in files: SessionFiles, _ state: inout JournalState, isSameBoot: Bool) {
    for var record in state.records.values where record.phase.isIncomplete {
      do throws(DownloadError) {
        guard DiskFolder.exists(files.part(record.part)) else { continue }
        let file = try DiskFile(files.part(record.part))
        let length = try file.length
        if length <= record.received { continue }
        guard isSameBoot, record.validator != nil, length <= record.total ?? .max else {
          try file.truncate(to: record.received)
          continue
        }
        try file.sync()
        record.received = length
        state.apply(.record(record))
      } catch {
        // The bytes that were synced before still count, unless the next opening would count the others, too.
        if isSameBoot { continue }
        record.validator = nil
        state.apply(.record(record))
      }
    }
  }

  static func makeFolders(
    _ files: SessionFiles, _ configuration: DownloadSession.Configuration
  ) throws(DownloadSessionError) {
    let attributes = FolderAttributes(
      protection: configuration.fileProtection, isExcludedFromBackup: configuration.isExcludedFromBackup)
    try DownloadSessionError.asStorage { () throws(DownloadError) in
      // The outer folder first: what is created in it inherits its attributes.
      for folder in [files.root.path(percentEncoded: false), files.parts, files.files.path(percentEncoded: false)] {
        try DiskFolder.make(folder)
        do {
          try attributes.apply(to: folder)
        } catch {
          throw DownloadError(code: POSIXErrorCode.of(error), operation: "setattr", path: folder)
        }
      }
    }
  }

  /// Continues the work that the journal describes. The state already has the state machine of the opening.
  func continueWork(of opening: Opening, _ moves: Moves, _ state: inout State, _ effects: inout Effects) {
    (state.lock, state.journal, state.journalName) = (opening.lock, opening.journal, opening.journalName)
    state.pendingSync = moves.pendingSync
    var actions = state.downloads.open(moved: moves.finished, lost: opening.lost)
    actions += state.downloads.synced(moves.synced)
    // Last, so that if the program is killed before this point, the next one checks the files again.
    if let boot = opening.boot { actions += state.downloads.begin(boot: boot) }
    _ = perform(actions, &state, &effects)
  }

  /// Removes parts that belong to no download, and copies of parts that were never moved into place.
  private static func sweep(
    _ files: SessionFiles, keeping records: some Collection<DownloadRecord>, of journal: String
  ) throws(DownloadError) {
    let parts = Set(records.map(\.part))
    for name in try DiskFolder.names(in: files.parts) {
      let number = name.hasSuffix(".part") ? UInt64(name.dropLast(5)) : nil
      if let number, parts.contains(number) { continue }
      if let copy = StagedCopy(note: name, files, journal: journal) {
        copy.removeIfPossible()
      } else {
        DiskFolder.removeIfPossible("\(files.parts)/\(name)")
      }
    }
  }
}
