internal import Observation
internal import Persistence

/// What a list shows: the results of a request, which may be replaced by another.
@MainActor @Observable final class FetchedList<Object: ManagedObject> {
  private(set) var objects = FetchedObjects<Object>()
  private(set) var failure: PersistenceError?

  /// Makes a change that a view may animate.
  @ObservationIgnored var animate: @MainActor (() -> Void) -> Void = { $0() }
  @ObservationIgnored private var controller: FetchedResultsController<Object>?
  @ObservationIgnored private var context: ViewContext?
  /// The request that the view declares, and the one that replaced it since.
  @ObservationIgnored private var declared: FetchDescriptor<Object>?
  @ObservationIgnored private var replacement: FetchDescriptor<Object>?
  /// Sorts a request by sections. Nil for a list without sections.
  @ObservationIgnored private var sectioned: ((FetchDescriptor<Object>) -> FetchDescriptor<Object>)?

  /// Shows the results of the declared request, unless the list shows them already, or those of the request that has
  /// replaced it since.
  func show(
    _ request: FetchDescriptor<Object>, in context: ViewContext,
    sectioned: ((FetchDescriptor<Object>) -> FetchDescriptor<Object>)? = nil
  ) {
    let isSame =
      declared.map { (self.sectioned?($0) ?? $0).isSame(as: sectioned?(request) ?? request) } == true
      && (sectioned == nil) == (self.sectioned == nil)
    if isSame, self.context === context { return }
    if !isSame { replacement = nil }
    (declared, self.context, self.sectioned) = (request, context, sectioned)
    context.observeObjects()
    read()
  }

  /// The request whose results the list shows.
  var request: FetchDescriptor<Object>? {
    get { replacement ?? declared }
    set {
      guard let newValue, request?.isSame(as: newValue) != true else { return }
      replacement = newValue
      read()
    }
  }

  private func read() {
    guard let context, let request else { return }
    do throws(PersistenceError) {
      let new = try context.startedResults(sectioned?(request) ?? request, hasSections: sectioned != nil)
      new.delegates.add(self)
      // The earlier controller has no delegates once it is gone.
      controller = new
      take(new)
    } catch {
      failure = error
    }
  }

  private func take(_ controller: FetchedResultsController<Object>) {
    animate {
      // What could not be read has no rows, and the earlier ones stay.
      if controller.failure == nil, let context { objects = FetchedObjects(controller.snapshot, in: context) }
      // Not if it stays nil: setting it would also draw the view, without the animation.
      if failure != nil || controller.failure != nil { failure = controller.failure }
    }
  }
}

extension FetchedList: FetchedResultsControllerDelegate {
  func resultsDidChange(_ results: FetchedResultsController<Object>) { if results === controller { take(results) } }

  func results(_ results: FetchedResultsController<Object>, didFail failure: PersistenceError) {
    if results === controller { self.failure = failure }
  }
}
