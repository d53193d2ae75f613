#if os(Linux)
import Foundation
import Glibc

/// Child processes, started and waited for without a run loop.
enum Shell {
  struct Failure: Error {
    let script: String
    let status: Int32
  }

  /// Runs the script to its end.
  static func run(_ script: String, in folder: URL) throws {
    let child = try spawn("cd '\(folder.path)' && { \(script)\n}")
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    guard status == 0 else { throw Failure(script: script, status: status) }
  }

  /// Starts a program in the background that ends when this process does, however that comes about.
  static func keep(_ program: String) throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0, fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0, fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0 else {
      throw Failure(script: program, status: errno)
    }
    // The child reads from a pipe whose other end only this process has, and which is left open on purpose.
    _ = try spawn("\(program) & child=$!; read _; kill $child", input: ends[0])
    close(ends[0])
  }

  private static func spawn(_ script: String, input: Int32? = nil) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    if let input { posix_spawn_file_actions_adddup2(&actions, input, 0) }
    // URLSession's sockets stay open in children. One that lives on, as nginx does, would keep connections of other tests
    // from ever being closed. Closing a descriptor that is not open is no error here.
    for descriptor in Int32(3)..<4096 { posix_spawn_file_actions_addclose(&actions, descriptor) }
    // Threads of a test block signals, and a child would inherit that: SIGTERM could not end it.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var child: pid_t = 0
    let words: [String] = ["sh", "-c", script]
    let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    let code = posix_spawn(&child, "/bin/sh", &actions, &attributes, arguments, environ)
    guard code == 0 else { throw Failure(script: script, status: code) }
    return child
  }
}
#endif
