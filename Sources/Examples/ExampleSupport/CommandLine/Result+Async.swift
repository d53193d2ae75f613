extension Result where Failure == any Error {
  /// Creates a result from the value that an asynchronous closure returns, or from the error that it throws.
  public static func of(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Success
  ) async -> Self {
    do { return .success(try await body()) } catch { return .failure(error) }
  }
}
