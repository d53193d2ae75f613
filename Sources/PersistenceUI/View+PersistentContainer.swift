#if canImport(SwiftUI)
public import Persistence
public import SwiftUI

extension EnvironmentValues {
  private struct ContainerKey: EnvironmentKey {
    static var defaultValue: PersistentContainer? { nil }
  }

  /// The container whose objects the views show. Set it with the modifier `persistentContainer(_:)`.
  public var persistentContainer: PersistentContainer? {
    get { self[ContainerKey.self] }
    set { self[ContainerKey.self] = newValue }
  }
}

extension View {
  /// Gives a container to ``Fetched`` and ``FetchedValue`` in this view and the views in it, and makes the objects of
  /// its view context observable.
  public func persistentContainer(_ container: PersistentContainer) -> some View {
    container.viewContext.observeObjects()
    return environment(\.persistentContainer, container)
  }
}
#endif
