#if canImport(SwiftUI)
public import Persistence
public import SwiftUI

/// A list of objects that a view shows, and that follows the store.
///
/// ```swift
/// struct StoryList: View {
///   @Fetched(sort: [.descending(\.added)], where: { !$0.isRead }) var stories: FetchedObjects<Story>
///
///   var body: some View {
///     List(stories) { story in Text(story.title) }
///   }
/// }
/// ```
///
/// The container is that of the environment: see `persistentContainer(_:)`. Without one, the list is empty. The first
/// results are read before the view's first frame, on the main thread. They change with each commit that changes the
/// list. Edits of the view context appear in its objects at once, and in the order of the list when they are saved.
///
/// If the view is created again with another request, the list changes to it. The projected value replaces the request
/// without creating the view again: `$stories.request?.limit = 50`.
@MainActor @propertyWrapper public struct Fetched<Object: ManagedObject>: @preconcurrency DynamicProperty {
  @Environment(\.persistentContainer) private var container
  @State private var list = FetchedList<Object>()
  private let request: FetchDescriptor<Object>
  private let sectioned: ((FetchDescriptor<Object>) -> FetchDescriptor<Object>)?
  private let animation: Animation?

  /// Shows the results of a request.
  public init(_ request: FetchDescriptor<Object>, animation: Animation? = nil) {
    self.request = request
    sectioned = nil
    self.animation = animation
  }

  /// Shows the results of a request, in sections of the objects that have the same value of an attribute.
  public init<Key: AttributeValue>(
    _ request: FetchDescriptor<Object>, sectionedBy path: any KeyPath<Object, Key> & Sendable,
    animation: Animation? = nil
  ) {
    self.request = request
    sectioned = { $0.sectioned(by: path) }
    self.animation = animation
  }

  /// Shows all objects of a class.
  public init(sort: [Sort<Object>] = [], limit: Int? = nil, animation: Animation? = nil) {
    self.init(FetchDescriptor(Object.self, sort: sort, limit: limit), animation: animation)
  }

  /// Shows the objects that match a condition.
  public init(
    sort: [Sort<Object>] = [], limit: Int? = nil, animation: Animation? = nil,
    where condition: (Row<Object>) -> Query<Object>
  ) {
    self.init(FetchDescriptor(Object.self, where: condition, sort: sort, limit: limit), animation: animation)
  }

  /// The objects.
  public var wrappedValue: FetchedObjects<Object> { list.objects }

  /// The state of the list: its request, and the latest error.
  public var projectedValue: FetchedState<Object> { FetchedState(list: list) }

  /// Called by SwiftUI before the view's body.
  public mutating func update() {
    guard let container else { return }
    let animation = animation
    list.animate = { change in
      if let animation { withAnimation(animation, change) } else { change() }
    }
    list.show(request, in: container.viewContext, sectioned: sectioned)
  }
}

/// The state of a list that ``Fetched`` shows.
///
/// ```swift
/// @MainActor func showMore(_ state: FetchedState<Story>) {
///   state.request?.limit? += 50
/// }
/// ```
@MainActor public struct FetchedState<Object: ManagedObject> {
  let list: FetchedList<Object>

  /// The request whose results the list shows. Nil before the view's first frame.
  public var request: FetchDescriptor<Object>? {
    get { list.request }
    nonmutating set { list.request = newValue }
  }

  /// The error of the latest attempt to read the store, or nil if it succeeded.
  public var failure: PersistenceError? { list.failure }
}
#endif
