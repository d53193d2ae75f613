import Foundation

/// A program that runs beside the tests. Foundation's `Process` would hand it every open descriptor.
final class ChildProcess: Sendable {
  struct Failure: Error {
    let program: String
    let code: Int32
  }

  private let child: pid_t
  private let ended: Task<Int32, Never>
  /// What it writes to its standard output and standard error, whole, when it has ended.
  let output: Task<String, Never>
  /// The lines of its output, as they come.
  let lines: AsyncStream<String>

  init(_ program: URL, _ arguments: [String]) throws {
    let (child, readEnd) = try Self.start(program, arguments)
    self.child = child
    let (lines, line) = AsyncStream<String>.makeStream()
    self.lines = lines
    output = Self.onThread {
      let handle = FileHandle(fileDescriptor: readEnd, closeOnDealloc: true)
      var all = Data()
      var rest = Data()
      while case let chunk = handle.availableData, !chunk.isEmpty {
        all.append(chunk)
        rest.append(chunk)
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          line.yield(String(decoding: rest[rest.startIndex..<end], as: UTF8.self))
          rest = Data(rest[rest.index(after: end)...])
        }
      }
      line.finish()
      return String(decoding: all, as: UTF8.self)
    }
    ended = Self.onThread { Self.wait(for: child) }
  }

  /// Runs a program to its end.
  static func run(_ program: URL, _ arguments: [String]) throws -> (code: Int32, output: String) {
    let (child, readEnd) = try start(program, arguments)
    let output = FileHandle(fileDescriptor: readEnd, closeOnDealloc: true).readDataToEndOfFile()
    return (wait(for: child), String(decoding: output, as: UTF8.self))
  }

  /// Waits for its end.
  func status() async -> Int32 { await ended.value }

  func kill() { _ = Foundation.kill(child, SIGKILL) }

  /// Calls that block have a thread of their own.
  private static func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) -> Task<Value, Never> {
    Task {
      await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: body()) }
      }
    }
  }

  private static func wait(for child: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    // As shells tell it: the exit code, or 128 and the signal.
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + status & 0x7F
  }

  /// The child, and where its output is read.
  private static func start(_ program: URL, _ arguments: [String]) throws -> (pid_t, Int32) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0, fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0, fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0 else {
      throw Failure(program: program.path, code: errno)
    }
    defer { close(ends[1]) }
    do {
      return (try spawn(program, arguments, output: ends[1]), ends[0])
    } catch {
      close(ends[0])
      throw error
    }
  }

  private static func spawn(_ program: URL, _ arguments: [String], output: Int32) throws -> pid_t {
    #if canImport(Darwin)
    var actions: posix_spawn_file_actions_t?
    var attributes: posix_spawnattr_t?
    #else
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_adddup2(&actions, output, 2)
    // Threads of a test block signals, and a child would inherit that.
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    #if canImport(Darwin)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_CLOEXEC_DEFAULT))
    #else
    // Closing a descriptor that is not open is no error here.
    for descriptor in Int32(3)..<1024 { posix_spawn_file_actions_addclose(&actions, descriptor) }
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    #endif
    var child: pid_t = 0
    let words: [UnsafeMutablePointer<CChar>?] = ([program.path] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    let code = posix_spawn(&child, program.path, &actions, &attributes, words, environ)
    guard code == 0 else { throw Failure(program: program.path, code: code) }
    return child
  }

  /// The program of this name in the search path.
  static func find(_ name: String) -> URL? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      .map { URL(filePath: String($0)).appending(path: name) }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }
}
