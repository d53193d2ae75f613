public import Foundation

/// How a value is made of a response.
///
/// ```swift
/// let movie = try await client.fetch(url, .json(Movie.self))
/// let rating = try await client.fetch(url, .json(Double.self, at: "results[0].popularity"))
/// let size = try await client.fetch(url, ExtractionStrategy { $0.body.count })
/// ```
///
/// What the closure throws becomes ``FetchError/extraction(_:_:)``. It runs in the task of the fetch, not on the
/// caller's actor, once per response whose status is a success.
public struct ExtractionStrategy<Value: Sendable>: Sendable {
  let extract: @Sendable (FetchResponse) throws -> Value

  /// A strategy from a closure.
  public init(_ extract: @escaping @Sendable (FetchResponse) throws -> Value) {
    self.extract = extract
  }

  /// The same strategy with its value changed afterwards.
  public func map<Other: Sendable>(
    _ change: @escaping @Sendable (Value) throws -> Other
  ) -> ExtractionStrategy<Other> {
    ExtractionStrategy<Other> { [extract] in try change(extract($0)) }
  }
}

extension ExtractionStrategy where Value == Data {
  /// The body as it is.
  public static var data: Self { Self { $0.body } }
}

extension ExtractionStrategy where Value == Void {
  /// Nothing: that the status is a success is all.
  public static var void: Self { Self { _ in } }
}

extension ExtractionStrategy where Value == FetchResponse {
  /// The response itself.
  public static var response: Self { Self { $0 } }
}
