public import Foundation

/// A strategy that extracts a value from a response.
///
/// ```swift
/// let movie = try await client.fetch(url, .json(Movie.self))
/// let rating = try await client.fetch(
///   url, .json(Double.self, at: "results[0].popularity"))
/// let size = try await client.fetch(url, ExtractionStrategy { $0.body.count })
/// ```
///
/// A strategy's closure is called once per successful response. It runs in the fetch's task and not on the caller's
/// actor. If the closure throws an error, the fetch ends with ``FetchError/extraction(_:_:)``.
public struct ExtractionStrategy<Value: Sendable>: Sendable {
  package let extract: @Sendable (FetchResponse) throws -> Value

  /// Creates a strategy that extracts the value with a closure.
  public init(_ extract: @escaping @Sendable (FetchResponse) throws -> Value) {
    self.extract = extract
  }

  /// Returns a strategy that extracts the same value as this strategy and transforms the value with a closure.
  public func map<Other: Sendable>(
    _ change: @escaping @Sendable (Value) throws -> Other
  ) -> ExtractionStrategy<Other> {
    ExtractionStrategy<Other> { [extract] in try change(extract($0)) }
  }
}

extension ExtractionStrategy where Value == Data {
  /// A strategy that returns the body unchanged.
  public static var data: Self { Self { $0.body } }
}

extension ExtractionStrategy where Value == Void {
  /// A strategy that ignores the response body. The fetch only checks that the status code counts as success.
  public static var void: Self { Self { _ in } }
}

extension ExtractionStrategy where Value == FetchResponse {
  /// A strategy that returns the response itself.
  public static var response: Self { Self { $0 } }
}
