// The declarations of SwiftUI that the articles use, with SwiftUI's signatures, so that their code is compiled where
// SwiftUI does not exist. Nothing here does anything.
public import Foundation
public import Observation

@MainActor @preconcurrency public protocol App {
  associatedtype Body: Scene
  @SceneBuilder @MainActor var body: Body { get }
  init()
}

extension App {
  public static func main() {}
}

@MainActor @preconcurrency public protocol Scene {}

public struct BackgroundTask<Request, Response>: Sendable {
  public static func appRefresh(_ identifier: String) -> BackgroundTask<Void, Void>
  where Request == Void, Response == Void { BackgroundTask<Void, Void>() }
}

extension Scene {
  public func backgroundTask<Request, Response>(
    _ task: BackgroundTask<Request, Response>, action: @Sendable @escaping (Request) async -> Response
  ) -> some Scene { self }

  public func backgroundTask(
    _ task: BackgroundTask<Void, Void>, action: @Sendable @escaping () async -> Void
  ) -> some Scene { self }
}

@resultBuilder public enum SceneBuilder {
  public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

public struct WindowGroup<Content: View>: Scene {
  public init(@ViewBuilder content: () -> Content) {}
}

@MainActor @preconcurrency public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor var body: Body { get }
}

extension Never: View {
  public var body: Never { fatalError() }
}

/// A view without a body.
@MainActor public protocol PrimitiveView: View where Body == Never {}

extension PrimitiveView {
  public var body: Never { fatalError() }
}

@resultBuilder public enum ViewBuilder {
  public static func buildBlock() -> EmptyView { EmptyView() }
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<(repeat each Content)>
  {
    TupleView()
  }
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
  public static func buildEither<First: View, Second: View>(first: First) -> ConditionalContent<First, Second> {
    ConditionalContent()
  }
  public static func buildEither<First: View, Second: View>(second: Second) -> ConditionalContent<First, Second> {
    ConditionalContent()
  }
}

public struct EmptyView: PrimitiveView { public nonisolated init() {} }
public struct TupleView<Content>: PrimitiveView { nonisolated init() {} }
public struct ConditionalContent<First: View, Second: View>: PrimitiveView { nonisolated init() {} }

extension Optional: View where Wrapped: View {
  public var body: Never { fatalError() }
}

public struct Text: PrimitiveView {
  public init(_ content: some StringProtocol) {}
}

public struct ProgressView: PrimitiveView { public init() {} }

public struct Button<Label: View>: PrimitiveView {
  public init(_ title: some StringProtocol, action: @escaping @MainActor () -> Void) where Label == Text {}
}

public struct Toggle<Label: View>: PrimitiveView {
  public init(_ title: some StringProtocol, isOn: Binding<Bool>) where Label == Text {}
}

public struct List<Content: View>: PrimitiveView {
  public init(@ViewBuilder content: () -> Content) {}
  public init<Elements: RandomAccessCollection, RowContent: View>(
    _ data: Elements, @ViewBuilder rowContent: @escaping (Elements.Element) -> RowContent
  ) where Elements.Element: Identifiable, Content == ForEach<Elements, Elements.Element.ID, RowContent> {}
}

public struct Form<Content: View>: PrimitiveView {
  public init(@ViewBuilder content: () -> Content) {}
}

public struct Section<Content: View>: PrimitiveView {
  public init(_ title: some StringProtocol, @ViewBuilder content: () -> Content) {}
}

public struct TextField<Label: View>: PrimitiveView {
  public init(_ title: some StringProtocol, text: Binding<String>) where Label == Text {}
}

public struct ForEach<Elements: RandomAccessCollection, ID: Hashable, Content: View>: PrimitiveView {
  public init(
    _ data: Elements, id: KeyPath<Elements.Element, ID>, @ViewBuilder content: @escaping (Elements.Element) -> Content
  ) {}

  public init(_ data: Elements, @ViewBuilder content: @escaping (Elements.Element) -> Content)
  where Elements.Element: Identifiable, Elements.Element.ID == ID {}

  public func onDelete(perform action: ((IndexSet) -> Void)?) -> some View { self }
}

@propertyWrapper @dynamicMemberLookup public struct Binding<Value> {
  public var wrappedValue: Value {
    get { fatalError() }
    nonmutating set {}
  }

  @preconcurrency public init(
    get: @escaping @isolated(any) @Sendable () -> Value, set: @escaping @isolated(any) @Sendable (Value) -> Void
  ) {}

  public subscript<Part>(dynamicMember path: WritableKeyPath<Value, Part>) -> Binding<Part> { fatalError() }
}

public protocol DynamicProperty {
  mutating func update()
}

extension DynamicProperty {
  public mutating func update() {}
}

@propertyWrapper public struct State<Value>: DynamicProperty {
  public var wrappedValue: Value {
    get { fatalError() }
    nonmutating set {}
  }

  public var projectedValue: Binding<Value> { fatalError() }

  public init(wrappedValue: Value) {}
}

public protocol EnvironmentKey {
  associatedtype Value
  static var defaultValue: Value { get }
}

public enum ScenePhase: Comparable, Sendable { case background, inactive, active }

@MainActor @preconcurrency public struct DismissAction {
  public func callAsFunction() {}
}

public struct EnvironmentValues: Sendable {
  public var scenePhase: ScenePhase { .active }
  @MainActor public var dismiss: DismissAction { DismissAction() }
  public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
    get { Key.defaultValue }
    set {}
  }
}

@propertyWrapper public struct Environment<Value>: DynamicProperty {
  public var wrappedValue: Value { fatalError() }

  public init(_ path: KeyPath<EnvironmentValues, Value>) {}
}

public struct Animation: Equatable, Sendable {
  public static let `default` = Animation()
}

public func withAnimation<Result>(
  _ animation: Animation? = .default, _ body: () throws -> Result
) rethrows -> Result { try body() }

extension State where Value: ExpressibleByNilLiteral {
  public init() {}
}

@propertyWrapper @dynamicMemberLookup public struct Bindable<Value: AnyObject & Observable> {
  public var wrappedValue: Value
  public var projectedValue: Bindable<Value> { self }

  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  public subscript<Part>(dynamicMember path: ReferenceWritableKeyPath<Value, Part>) -> Binding<Part> { fatalError() }
}

@MainActor @preconcurrency public protocol PreviewModifier {
  associatedtype Context = Void
  associatedtype Body: View
  typealias Content = EmptyView
  static func makeSharedContext() async throws -> Context
  @ViewBuilder func body(content: Content, context: Context) -> Body
}

extension View {
  public func searchable(text: Binding<String>) -> some View { self }

  public func onChange<Value: Equatable>(
    of value: Value, _ action: @escaping (_ old: Value, _ new: Value) -> Void
  ) -> some View { self }

  public func environment<Value>(_ path: WritableKeyPath<EnvironmentValues, Value>, _ value: Value) -> some View {
    self
  }

  public func task(_ action: sending @escaping @isolated(any) () async -> Void) -> some View { self }
}
