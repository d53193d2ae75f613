/// Decides which pages to request, in what order, and when paging ends. It receives the results and does not fetch
/// anything itself.
struct PagingState {
  private let style: PagingStyle
  let maxRequests: Int
  private let prefetch: Int
  private let stopsAtShortPage: Bool

  /// The index of the page to deliver next.
  private(set) var position = 0
  private(set) var requests = 0
  private(set) var end: PagingEnd?
  /// The indices of the pages that are requested and not yet delivered.
  private var begun: Set<Int> = []
  /// The location of the page at `position`, if pages name the next one.
  private var location: PageLocation?
  private var visited: Set<PageLocation> = []

  init(_ style: PagingStyle, maxRequests: Int, prefetch: Int, stopsAtShortPage: Bool) {
    self.style = style
    self.maxRequests = maxRequests
    self.prefetch = max(0, prefetch)
    self.stopsAtShortPage = stopsAtShortPage
  }

  /// The page to deliver next.
  var next: PageRequest { style.request(at: position, location) }

  /// Returns the pages to request now, starting with the one to deliver next. Without it, the limit is reached.
  ///
  /// - Parameter isWaiting: Whether the caller waits for the next page. Otherwise only pages ahead are requested.
  mutating func begin(isWaiting: Bool) -> [PageRequest] {
    guard end == nil else { return [] }
    var count = prefetch + (isWaiting ? 1 : 0)
    if !style.isPredictable { count = min(1, count) }
    var new: [PageRequest] = []
    for index in position..<position + count where !begun.contains(index) && requests < maxRequests {
      begun.insert(index)
      requests += 1
      new.append(style.request(at: index, location))
    }
    return new
  }

  /// Records the page at `position`. Returns whether it has anything to deliver.
  ///
  /// - Parameter isUnchanged: Whether the server confirmed a page that the caller has, instead of sending it.
  mutating func arrive(count: Int, new: Int, next: PageLocation?, isUnchanged: Bool = false) -> Bool {
    begun.remove(position)
    position += 1
    location = next
    if count == 0, !isUnchanged {
      end = .emptyPage
    } else if !style.isPredictable {
      if let next {
        if !visited.insert(next).inserted { end = .repetition }
      } else {
        end = .lastPage
      }
    } else if isUnchanged {
      // Its length is unknown.
    } else if stopsAtShortPage, count < style.limit {
      end = .shortPage
    } else if new == 0 {
      end = .repetition
    }
    return new > 0 || isUnchanged
  }

  /// Records that the page at `position` failed. It can be requested again.
  mutating func fail() {
    begun.remove(position)
  }

  /// Records that no page is in progress anymore.
  mutating func forget() {
    begun = []
  }
}
