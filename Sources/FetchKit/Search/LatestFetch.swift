/// An object that fetches a value only for the latest input. When a new input arrives, the fetch for the previous input
/// is cancelled, and its result is not delivered.
///
/// ```swift
/// let search = LatestFetch(
///   client, .elements(of: Movie.self, at: "results"),
///   pace: .debounce(.milliseconds(300))
/// ) {
///   MovieDB.search(title: $0)
/// } deliver: { @MainActor [weak self] title, result in
///   self?.show(result, for: title)
/// }
/// search("f")
/// search("fargo")  // nothing is delivered for "f"
/// ```
///
/// At most one result is delivered for each input. After a new input or a call to ``cancel()``, nothing is delivered
/// for the previous inputs, not even a cancellation error. If the fetch for the latest input fails, the error is
/// delivered in the same way as a value.
///
/// Before a result is delivered, the object checks whether the result's input is still the latest. The check runs on
/// the actor that `deliver` is isolated to. If you pass inputs from the same actor, such as the main actor, a new input
/// therefore discards even a result that is about to be delivered. If `deliver` is not isolated to an actor, a call to
/// `deliver` may still be running when the next input arrives.
///
/// Releasing the object cancels the current fetch.
public final class LatestFetch<Input: Sendable, Value: Sendable>: Sendable {
  private struct State {
    var latest: LatestState
    var task: Task<Void, Never>?
  }

  private let state: Lock<State>
  private let time: TimeSource
  private let fetch: @Sendable (Input) async throws(FetchError) -> Value
  private let deliver: @isolated(any) @Sendable (Input, Result<Value, FetchError>) -> Void

  /// Creates an object that fetches the value for an input with a single request.
  ///
  /// - Parameters:
  ///   - client: The client that performs the fetches.
  ///   - strategy: The strategy that extracts the value from a response.
  ///   - pace: The timing that determines when a fetch begins after an input.
  ///   - clock: The clock that measures the duration in `pace`.
  ///   - request: A function that creates the request for an input. The request is cancelled when another input
  ///     arrives.
  ///   - deliver: A function that receives the latest input and its result. The function is called on the actor that it
  ///     is isolated to, if any.
  public convenience init<Request: HTTPRequestConvertible>(
    _ client: FetchClient, _ strategy: ExtractionStrategy<Value>, pace: SearchTiming = .immediate,
    clock: any Clock<Duration> = ContinuousClock(), request: @escaping @Sendable (Input) -> Request,
    deliver: @escaping @isolated(any) @Sendable (Input, Result<Value, FetchError>) -> Void
  ) {
    self.init(
      pace: pace, clock: clock,
      fetch: { (input) async throws(FetchError) in try await client.fetch(request(input), strategy) }, deliver: deliver)
  }

  /// Creates an object that calls a custom function to obtain the value for an input. The function can, for example,
  /// send several requests or look up the value in a cache.
  ///
  /// - Parameters:
  ///   - pace: The timing that determines when a fetch begins after an input.
  ///   - clock: The clock that measures the duration in `pace`.
  ///   - fetch: A function that returns the value for an input. The task that calls it is cancelled when another input
  ///     arrives.
  ///   - deliver: A function that receives the latest input and its result. The function is called on the actor that it
  ///     is isolated to, if any.
  public init(
    pace: SearchTiming = .immediate, clock: any Clock<Duration> = ContinuousClock(),
    fetch: @escaping @Sendable (Input) async throws(FetchError) -> Value,
    deliver: @escaping @isolated(any) @Sendable (Input, Result<Value, FetchError>) -> Void
  ) {
    state = Lock(State(latest: LatestState(pace)))
    time = TimeSource(clock)
    self.fetch = fetch
    self.deliver = deliver
  }

  deinit {
    state.withLock { $0.task }?.cancel()
  }

  /// Begins a fetch for this input as soon as `pace` permits, and discards all earlier inputs.
  public func callAsFunction(_ input: Input) {
    let now = time.now()
    let before = state.withLock { state in
      let (number, wait) = state.latest.submit(at: now)
      let before = state.task
      state.task = Task { [weak self, time] in
        if wait > .zero {
          do {
            try await time.sleep(wait)
          } catch {
            return
          }
        }
        guard let fetch = self?.begin(number) else { return }
        let result: Result<Value, FetchError>
        do throws(FetchError) {
          result = .success(try await fetch(input))
        } catch {
          result = .failure(error)
        }
        await self?.deliver(result, of: input, number, isolation: self?.deliver.isolation)
      }
      return before
    }
    before?.cancel()
  }

  /// Cancels the current fetch and discards its result.
  public func cancel() {
    let task = state.withLock { state in
      state.latest.cancel()
      defer { state.task = nil }
      return state.task
    }
    task?.cancel()
  }

  private func begin(_ number: Int) -> (@Sendable (Input) async throws(FetchError) -> Value)? {
    let now = time.now()
    return state.withLock { $0.latest.begin(number, at: now) } ? fetch : nil
  }

  /// Decides in the isolation of `deliver`, so that the result of an old input cannot overtake a new input from there.
  private func deliver(
    _ result: Result<Value, FetchError>, of input: Input, _ number: Int, isolation: isolated (any Actor)?
  ) async {
    guard state.withLock({ $0.latest.deliver(number) }) else { return }
    await deliver(input, result)
  }
}

/// The timing that determines when a fetch begins after an input.
public enum SearchTiming: Sendable, Hashable {
  /// A fetch begins immediately after every input.
  case immediate
  /// A fetch begins when no further input has arrived for this duration, for example because the user has stopped
  /// typing.
  case debounce(Duration)
  /// A fetch begins immediately if at least this duration has passed since the previous fetch began. Otherwise, it
  /// begins as soon as the duration has passed. A fetch always begins for the last input.
  case throttle(Duration)
}
