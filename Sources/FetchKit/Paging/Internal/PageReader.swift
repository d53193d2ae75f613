/// Reads pages in order and prefetches some. Not `Sendable`: it belongs to one iterator.
final class PageReader<Item: Sendable> {
  private typealias Answer = Result<FetchedPage<Item>, FetchError>

  private let fetch: PagedSequence<Item>.Fetch
  private let isNew: (Item) -> Bool
  private var state: PagingState
  private var pages: [Int: (request: PageRequest, task: Task<Answer, Never>)] = [:]

  var end: PagingEnd? { state.end }
  var requests: Int { state.requests }

  init(_ sequence: PagedSequence<Item>) {
    fetch = sequence.fetch
    isNew = sequence.makeFilter()
    state = PagingState(
      sequence.style, maxRequests: sequence.maxRequests, prefetch: sequence.prefetch,
      stopsAtShortPage: sequence.stopsAtShortPage)
  }

  deinit {
    cancelAll()
  }

  /// Returns the next page with new items, or nil after the last.
  func next(isolation: isolated (any Actor)? = #isolation) async throws(FetchError) -> Page<Item>? {
    while true {
      begin(isWaiting: true)
      let index = state.position
      guard let (request, task) = pages[index] else {
        if state.end == nil { throw .tooManyPages(limit: state.maxRequests, next: state.next, FetchError.Context()) }
        cancelAll()
        return nil
      }
      let result = await withTaskCancellationHandler(
        operation: { await task.value }, onCancel: { task.cancel() }, isolation: isolation)
      // Another caller requested the same page in the meantime and received it.
      guard state.position == index, pages[index] != nil else { continue }
      pages[index] = nil
      switch result {
      case .failure(let error):
        state.fail()
        if case .cancelled = error {
          cancelAll()
          state.forget()
        }
        throw error
      case .success(let answer):
        let items = answer.items.filter(isNew)
        let isDelivered = state.arrive(
          count: answer.items.count, new: items.count, next: answer.next, isUnchanged: answer.response.status == 304)
        if state.end == nil { begin(isWaiting: false) } else { cancelAll() }
        guard isDelivered else { continue }
        return Page(
          items: items, repeated: answer.items.count - items.count, request: request, response: answer.response,
          end: state.end)
      }
    }
  }

  private func begin(isWaiting: Bool) {
    for request in state.begin(isWaiting: isWaiting) {
      let task = Task { [fetch] in
        do throws(FetchError) {
          return Answer.success(try await fetch(request))
        } catch {
          return .failure(error)
        }
      }
      pages[request.index] = (request, task)
    }
  }

  private func cancelAll() {
    for page in pages.values { page.task.cancel() }
    pages = [:]
  }
}

/// The response to the request for a page: the items as the server sent them, the location of the next page, and the
/// response without its body.
struct FetchedPage<Item: Sendable>: Sendable {
  var items: [Item]
  var next: PageLocation?
  var response: FetchResponse
}
