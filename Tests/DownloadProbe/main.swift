// Downloads one file in its own process, which tests kill. Prints a line per event.
//
// Arguments: directory, URL, digest, sync interval. Environment: PROBE_KILL_AT=point:count ends the process with
// SIGKILL when the point is reached for that time; PROBE_FILE_LIMIT sets the maximum size of any file;
// PROBE_DURABLE reports an end only when it is on the disk; PROBE_DESTINATION names the file; PROBE_FORGETS forgets the
// download before it ends the process; PROBE_PATIENT syncs by the interval alone, however slow the machine;
// PROBE_STARTS starts the download although it exists; PROBE_STARTS_AGAIN starts it once more, without a limit, when
// the disk has refused.

import FetchKit
import Foundation

let arguments = CommandLine.arguments
guard arguments.count == 5, let interval = Int64(arguments[4]) else {
  print("usage: DownloadProbe directory url digest interval")
  exit(64)
}

/// Ends the process when a point is reached for the given time.
final class Trap: Sendable {
  private let point: String
  private let left: Lock<Int>
  /// Called before the process ends.
  let last = Lock<@Sendable () -> Void>({})

  init(_ text: String?) {
    let parts = text?.split(separator: ":") ?? []
    point = parts.first.map(String.init) ?? ""
    left = Lock(parts.count == 2 ? Int(parts[1]) ?? 0 : 0)
  }

  func reached(_ point: String) {
    guard point == self.point else { return }
    let isNow = left.withLock { left in
      left -= 1
      return left == 0
    }
    guard isNow else { return }
    last.withLock { $0 }()
    kill(getpid(), SIGKILL)
  }
}

func say(_ text: String) {
  FileHandle.standardOutput.write(Data((text + "\n").utf8))
}

/// Sets the maximum size of any file; nil for the system's default.
func setFileLimit(_ limit: rlim_t?) {
  signal(SIGXFSZ, SIG_IGN)
  var bounds = rlimit()
  #if canImport(Glibc)
  let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
  #else
  let resource = RLIMIT_FSIZE
  #endif
  getrlimit(resource, &bounds)
  bounds.rlim_cur = limit ?? bounds.rlim_max
  setrlimit(resource, &bounds)
}

let environment = ProcessInfo.processInfo.environment
let trap = Trap(environment["PROBE_KILL_AT"])
if let limit = environment["PROBE_FILE_LIMIT"].flatMap(rlim_t.init) { setFileLimit(limit) }

let destination = environment["PROBE_DESTINATION"].map { URL(filePath: $0) }

do {
  let session = try DownloadSession(
    identifier: "probe", directory: URL(filePath: arguments[1], directoryHint: .isDirectory)
  ) { configuration in
    configuration.syncInterval = interval
    if environment["PROBE_PATIENT"] != nil { configuration.syncPeriod = .seconds(3600) }
    configuration.maxConcurrentDownloads = 1
    configuration.durability = environment["PROBE_DURABLE"] == nil ? .periodic : .beforeEvent
    configuration.atPoint = { trap.reached($0.rawValue) }
  }
  if environment["PROBE_FORGETS"] != nil {
    trap.last.withLock { last in
      last = {
        // The session's own thread reached the point, and other threads do not wait for it.
        let isForgotten = DispatchSemaphore(value: 0)
        Task {
          try await session.remove("file")
          isForgotten.signal()
        }
        isForgotten.wait()
      }
    }
  }
  let file = destination ?? session.filesDirectory.appending(path: "file")
  let isOver = FileManager.default.fileExists(atPath: file.path)
  func start() async throws(DownloadSessionError) {
    let start = try await session.start(
      arguments[2], named: "file",
      DownloadOptions(destination: destination, digest: DownloadDigest(hex: arguments[3])))
    say("start \(start)")
  }
  if environment["PROBE_STARTS_AGAIN"] != nil {
    do {
      try await start()
    } catch {
      say("refused \(error)")
      setFileLimit(nil)
      try await start()
    }
  } else if environment["PROBE_STARTS"] != nil {
    try await start()
  } else if await session.tasks().isEmpty, !isOver || environment["PROBE_RESUME"] != nil {
    try await start()
  } else if environment["PROBE_RESUME"] != nil {
    try await session.resume("file")
  }
  if await !session.tasks().isEmpty {
    for await event in session.events {
      switch event.result {
      case .success(let file): say("finished \(event.token) \(file.byteCount)")
      case .failure(let failure): say("failed \(event.token) \(failure)")
      }
      trap.reached("beforeDone")
      event.done()
      trap.reached("afterDone")
      break
    }
  }
  await session.close()
  say("closed")
} catch {
  say("error \(error)")
  exit(1)
}
