import Foundation

extension ChildProcess {
  /// Both ends of a pipe, which a child inherits only on request.
  static func pipe() throws -> (reader: Int32, writer: Int32) {
    var ends: [Int32] = [0, 0]
    guard Foundation.pipe(&ends) == 0, ends.allSatisfy({ fcntl($0, F_SETFD, FD_CLOEXEC) == 0 }) else {
      throw LaunchError(executable: "pipe", code: errno)
    }
    return (ends[0], ends[1])
  }

  /// Starts a program with only these descriptors. In place of one that is nil, it gets this process's own.
  static func spawn(
    _ executable: String, _ arguments: [String], _ environment: [String], _ descriptors: [Int32: Int32?]
  ) throws -> pid_t {
    #if os(tvOS)
    throw LaunchError(executable: executable, code: ENOSYS)
    #else
    #if canImport(Darwin)
    var actions: posix_spawn_file_actions_t?
    var attributes: posix_spawnattr_t?
    #else
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    for (target, source) in descriptors {
      if let source { posix_spawn_file_actions_adddup2(&actions, source, target) }
    }
    // Descriptors that Foundation opened without close-on-exec. Closing one that is not open is not an error here.
    for descriptor in Int32(3)..<4096 { posix_spawn_file_actions_addclose(&actions, descriptor) }
    // A child would inherit the signals that this process blocks and ignores. If a shell runs this process in the
    // background, only SIGKILL could then end the child.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var usual = sigset_t()
    sigemptyset(&usual)
    for signal in [SIGHUP, SIGINT, SIGPIPE, SIGQUIT, SIGTERM] { sigaddset(&usual, signal) }
    posix_spawnattr_setsigdefault(&attributes, &usual)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var child: pid_t = 0
    let words = arguments.map { strdup($0) } + [nil]
    let settings = environment.map { strdup($0) } + [nil]
    defer { for text in words + settings { free(text) } }
    let code = posix_spawn(&child, executable, &actions, &attributes, words, settings)
    guard code == 0 else { throw LaunchError(executable: executable, code: code) }
    return child
    #endif
  }

  /// Waits on its own thread: tasks must not block.
  static func exit(of child: pid_t) async -> Exit {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        continuation.resume(returning: signal == 0 ? .code((status >> 8) & 0xFF) : .signal(signal))
      }
    }
  }
}
