public import Foundation

/// Runs shell scripts as children of the test process, to set up what a suite needs. Scripts are started in the same
/// way as the programs of ``ChildProcess``.
public enum Shell {
  /// The script failed, or could not be started.
  public struct ScriptError: Error {
    public let script: String
    public let status: Int32
  }

  /// Runs the script to its end. Blocks the thread.
  public static func run(_ script: String, in folder: URL) throws {
    let child = try spawn("cd '\(folder.path)' && { \(script)\n}")
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    guard status == 0 else { throw ScriptError(script: script, status: status) }
  }

  /// Starts a program in the background. It ends when this process ends, whatever the reason.
  public static func keep(_ program: String) throws {
    // The child reads from a pipe whose other end only this process has, and which is left open on purpose.
    let (reader, _) = try ChildProcess.pipe()
    defer { close(reader) }
    _ = try spawn("\(program) & child=$!; read _; kill $child", input: reader)
  }

  private static func spawn(_ script: String, input: Int32? = nil) throws -> pid_t {
    let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
    guard nothing >= 0 else { throw ScriptError(script: script, status: errno) }
    defer { close(nothing) }
    let environment = ProcessInfo.processInfo.environment.map { "\($0)=\($1)" }
    return try ChildProcess.spawn(
      "/bin/sh", ["sh", "-c", script], environment, [0: input ?? nothing, 1: nothing, 2: nothing])
  }
}
