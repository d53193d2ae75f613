/// Fetches for the latest input only: a new one cancels the one before, and nothing of the old is delivered afterwards.
///
/// ```swift
/// let search = LatestFetch(client, .elements(of: Movie.self, at: "results"), pace: .debounce(.milliseconds(300))) {
///   MovieDB.search(title: $0)
/// } deliver: { @MainActor [weak self] title, result in
///   self?.show(result, for: title)
/// }
/// search("f")
/// search("fargo")         // "f" is never heard of again
/// ```
///
/// For every input at most one outcome is delivered, and for every input but the latest, and after ``cancel()``, none
/// at all: no cancellation either. A failure of the latest input is delivered like a value.
///
/// What counts is decided in the isolation of `deliver`. Where inputs come from the same actor, as on the main actor of
/// a program with a screen, an outcome that was already on its way is dropped; where `deliver` has no isolation, a call
/// to it that has begun may still be under way when the next input comes.
///
/// Letting go of it cancels.
public final class LatestFetch<Input: Sendable, Value: Sendable>: Sendable {
  private struct State {
    var latest: LatestState
    var task: Task<Void, Never>?
  }

  private let state: Lock<State>
  private let time: TimeSource
  private let fetch: @Sendable (Input) async throws(FetchError) -> Value
  private let deliver: @isolated(any) @Sendable (Input, Result<Value, FetchError>) -> Void

  /// A search that sends one request per input.
  ///
  /// - Parameters:
  ///   - client: What fetches.
  ///   - strategy: What to make of a response.
  ///   - pace: When a search begins after an input.
  ///   - clock: The clock that measures the pace.
  ///   - request: Makes the request of an input; cancelled when another one comes.
  ///   - deliver: Told the outcome of the latest input, in its own isolation.
  public convenience init<Request: HTTPRequestConvertible>(
    _ client: FetchClient, _ strategy: ExtractionStrategy<Value>, pace: SearchPace = .immediate,
    clock: any Clock<Duration> = ContinuousClock(), request: @escaping @Sendable (Input) -> Request,
    deliver: @escaping @isolated(any) @Sendable (Input, Result<Value, FetchError>) -> Void
  ) {
    self.init(
      pace: pace, clock: clock,
      fetch: { (input) async throws(FetchError) in try await client.fetch(request(input), strategy) }, deliver: deliver)
  }

  /// A search that does whatever makes a value of an input: several requests, a look into a cache first.
  ///
  /// - Parameters:
  ///   - pace: When a search begins after an input.
  ///   - clock: The clock that measures the pace.
  ///   - fetch: Makes the value of an input; cancelled when another one comes.
  ///   - deliver: Told the outcome of the latest input, in its own isolation.
  public init(
    pace: SearchPace = .immediate, clock: any Clock<Duration> = ContinuousClock(),
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

  /// Fetches for this input, as soon as the pace allows, and for none before it.
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

  /// Ends the search under way; nothing of it is delivered.
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

  /// Decides in the isolation of `deliver`, so that an input from there is never overtaken by an outcome of the old.
  private func deliver(
    _ result: Result<Value, FetchError>, of input: Input, _ number: Int, isolation: isolated (any Actor)?
  ) async {
    guard state.withLock({ $0.latest.deliver(number) }) else { return }
    await deliver(input, result)
  }
}
