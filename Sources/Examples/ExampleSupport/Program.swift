import Foundation

/// Runs a program's body: an error becomes one plain sentence on standard error and an exit code.
///
/// - Returns: Never; exits with 0, with 1 when something failed, with 2 when the command line was wrong.
public func runProgram(_ name: String, usage: String, _ body: @Sendable () async throws -> Void) async -> Never {
  do {
    try await body()
    exit(0)
  } catch let error as UsageError {
    Console.write("\(name): \(error)\n\n\(usage)", to: .standardError)
    exit(2)
  } catch {
    Console.write("\(name): \(error)", to: .standardError)
    exit(1)
  }
}
