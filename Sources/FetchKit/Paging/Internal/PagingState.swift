/// Which pages are asked for, in what order, and when it is over: told what came, it says what to do. It fetches
/// nothing.
struct PagingState {
  private let style: PagingStyle
  private let maxRequests: Int
  private let prefetch: Int
  private let endsAtShortPage: Bool

  /// The place of the page to be delivered next.
  private(set) var position = 0
  private(set) var requests = 0
  private(set) var end: PagingEnd?
  /// The pages asked for and not delivered.
  private var begun: Set<Int> = []
  /// Where the page at `position` is, when pages name the next.
  private var place: PagePlace?
  private var places: Set<PagePlace> = []

  init(_ style: PagingStyle, maxRequests: Int, prefetch: Int, endsAtShortPage: Bool) {
    self.style = style
    self.maxRequests = maxRequests
    self.prefetch = max(0, prefetch)
    self.endsAtShortPage = endsAtShortPage
  }

  /// The pages to ask for now, the one to be delivered next first.
  ///
  /// - Parameter isWaiting: Whether that one is waited for; otherwise only those ahead are wanted.
  mutating func begin(isWaiting: Bool) -> [PageRequest] {
    guard end == nil else { return [] }
    var count = prefetch + (isWaiting ? 1 : 0)
    if !style.isPredictable { count = min(1, count) }
    var new: [PageRequest] = []
    for index in position..<position + count where !begun.contains(index) && requests < maxRequests {
      begun.insert(index)
      requests += 1
      new.append(request(at: index))
    }
    if isWaiting, !begun.contains(position) { end = .maxRequests }
    return new
  }

  /// The page at `position` has come; whether it has anything to deliver.
  mutating func arrive(count: Int, new: Int, next: PagePlace?) -> Bool {
    begun.remove(position)
    position += 1
    place = next
    if count == 0 {
      end = .emptyPage
    } else if !style.isPredictable {
      if let next {
        if !places.insert(next).inserted { end = .repetition }
      } else {
        end = .lastPage
      }
    } else if endsAtShortPage, count < limit {
      end = .shortPage
    } else if new == 0 {
      end = .repetition
    }
    return new > 0
  }

  /// The page at `position` did not come; it may be asked for again.
  mutating func fail() {
    begun.remove(position)
  }

  /// No page is under way any more.
  mutating func forget() {
    begun = []
  }

  private var limit: Int {
    switch style.kind {
    case .offset(_, let limit): limit
    case .number(_, let size): size
    case .chained: 0
    }
  }

  private func request(at index: Int) -> PageRequest {
    var request = PageRequest(index: index, number: index, limit: limit)
    switch style.kind {
    case .offset(let first, let limit):
      request.offset = first &+ index &* limit
      request.number = index
    case .number(let first, let size):
      request.offset = index &* size
      request.number = first &+ index
    case .chained:
      if case .cursor(let cursor) = place { request.cursor = cursor }
      if case .link(let link) = place { request.link = link }
    }
    return request
  }
}
