import FetchKit
import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// A child process: what it is told, and what it says.
///
/// Not `Foundation.Process`, whose children inherit this process's sockets: a server here would not see a connection end.
final class Child: Sendable {
  struct Failure: Error {
    let call: String
    let code: Int32
  }

  private let id: pid_t
  private let input: Lock<FileHandle?>
  private let text: Collector
  private let errors: Collector
  private let status: AsyncStream<Int32>

  init(_ path: String, _ arguments: [String], environment: [String: String]) throws {
    let (input, output, errors) = (Pipe(), Pipe(), Pipe())
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input.fileHandleForReading.fileDescriptor, 0)
    posix_spawn_file_actions_adddup2(&actions, output.fileHandleForWriting.fileDescriptor, 1)
    posix_spawn_file_actions_adddup2(&actions, errors.fileHandleForWriting.fileDescriptor, 2)
    // Closing a descriptor that is not open is no error here.
    for descriptor in Int32(3)..<4096 { posix_spawn_file_actions_addclose(&actions, descriptor) }
    // Threads of a test block signals, and a child would inherit that: SIGINT could not end it.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var all = sigset_t()
    sigemptyset(&all)
    for signal in [SIGINT, SIGTERM, SIGPIPE] { sigaddset(&all, signal) }
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

    let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }.map { "\($0)=\($1)" }
    let words = ([path] + arguments).map { strdup($0) } + [nil]
    let pairs = variables.map { strdup($0) } + [nil]
    defer { for text in words + pairs { free(text) } }
    var id: pid_t = 0
    let code = posix_spawn(&id, path, &actions, &attributes, words, pairs)
    guard code == 0 else { throw Failure(call: "posix_spawn \(path)", code: code) }
    try input.fileHandleForReading.close()
    try output.fileHandleForWriting.close()
    try errors.fileHandleForWriting.close()
    self.id = id
    self.input = Lock(input.fileHandleForWriting)
    text = Collector(output.fileHandleForReading)
    self.errors = Collector(errors.fileHandleForReading)
    let (statuses, status) = AsyncStream.makeStream(of: Int32.self)
    self.status = statuses
    Thread.detachNewThread { [id] in
      var code: Int32 = 0
      while waitpid(id, &code, 0) < 0, errno == EINTR {}
      status.yield(code & 0x7F == 0 ? code >> 8 & 0xFF : -(code & 0x7F))
      status.finish()
    }
  }

  func type(_ text: String) {
    // A child that has ended reads nothing any more.
    input.withLock { try? $0?.write(contentsOf: Data(text.utf8)) }
  }

  func endInput() {
    input.withLock { input in
      try? input?.close()
      input = nil
    }
  }

  func send(_ signal: Int32) {
    kill(id, signal)
  }

  /// Waits until it has said something that contains this, and returns all that it has said by then.
  @discardableResult
  func said(_ part: String) async throws -> String {
    for await text in text.texts where text.contains(part) { return text }
    throw Failure(call: "the program ended without saying “\(part)”", code: 0)
  }

  /// Waits for its end.
  func output() async throws -> Program.Output {
    endInput()
    var code: Int32?
    for await status in status { code = status }
    guard let code else { throw Failure(call: "waitpid", code: 0) }
    return Program.Output(status: code, text: await text.all(), errors: await errors.all())
  }
}

/// Reads to the end on a thread of its own, so that a child that fills one pipe never waits for the other.
private final class Collector: Sendable {
  /// All that has come, each time that more has come; for one reader.
  let texts: AsyncStream<String>
  private let last = Lock("")
  private let end: AsyncStream<Void>

  init(_ handle: FileHandle) {
    let (texts, text) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(1))
    let (end, ended) = AsyncStream.makeStream(of: Void.self)
    (self.texts, self.end) = (texts, end)
    Thread.detachNewThread { [self] in
      var data = Data()
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      // Not `availableData`, which ends the process when a signal interrupts it.
      while true {
        let count = read(handle.fileDescriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { break }
        data += buffer[..<count]
        let soFar = String(decoding: data, as: UTF8.self)
        last.withLock { $0 = soFar }
        text.yield(soFar)
      }
      text.finish()
      ended.finish()
    }
  }

  func all() async -> String {
    for await _ in end {}
    return last.withLock { $0 }
  }
}
