extension Result where Failure == any Error {
  /// Captures what an asynchronous closure returns or throws.
  public static func of(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Success
  ) async -> Self {
    do { return .success(try await body()) } catch { return .failure(error) }
  }
}
