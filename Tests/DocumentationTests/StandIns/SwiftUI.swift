// The declarations of SwiftUI that the articles use, with SwiftUI's signatures, so that their code is compiled where
// SwiftUI does not exist. Nothing here does anything.
import Foundation

@MainActor @preconcurrency public protocol App {
  associatedtype Body: Scene
  @SceneBuilder @MainActor var body: Body { get }
  init()
}

extension App {
  public static func main() {}
}

@MainActor @preconcurrency public protocol Scene {}

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
}

public struct ForEach<Elements: RandomAccessCollection, ID: Hashable, Content: View>: PrimitiveView {
  public init(
    _ data: Elements, id: KeyPath<Elements.Element, ID>, @ViewBuilder content: @escaping (Elements.Element) -> Content
  ) {}

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

@propertyWrapper public struct State<Value> {
  public var wrappedValue: Value {
    get { fatalError() }
    nonmutating set {}
  }

  public init(wrappedValue: Value) {}
}

extension State where Value: ExpressibleByNilLiteral {
  public init() {}
}

extension View {
  public func task(_ action: sending @escaping @isolated(any) () async -> Void) -> some View { self }
}
