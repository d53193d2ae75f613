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
/// An error thrown by the closure is reported as ``FetchError/extraction(_:_:)``. The closure runs once per successful
/// response, in the fetch's task and not on the caller's actor.
public struct ExtractionStrategy<Value: Sendable>: Sendable {
  let extract: @Sendable (FetchResponse) throws -> Value

  /// Creates a strategy from a closure.
  public init(_ extract: @escaping @Sendable (FetchResponse) throws -> Value) {
    self.extract = extract
  }

  /// Returns a strategy that transforms this strategy's value.
  public func map<Other: Sendable>(
    _ change: @escaping @Sendable (Value) throws -> Other
  ) -> ExtractionStrategy<Other> {
    ExtractionStrategy<Other> { [extract] in try change(extract($0)) }
  }
}

extension ExtractionStrategy where Value == Data {
  /// The body, unchanged.
  public static var data: Self { Self { $0.body } }
}

extension ExtractionStrategy where Value == Void {
  /// A strategy that returns no value. The fetch only checks that the status code counts as success.
  public static var void: Self { Self { _ in } }
}

extension ExtractionStrategy where Value == FetchResponse {
  /// The response itself.
  public static var response: Self { Self { $0 } }
}
