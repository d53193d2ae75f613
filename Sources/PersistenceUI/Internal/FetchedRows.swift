internal import Persistence

/// The objects of the rows that a list has accessed lately.
///
/// `@unchecked Sendable`: a collection's subscript is not isolated, so it has to assume that it runs on the main actor,
/// and the compiler takes that for sending. Only a ``FetchedObjects`` has the rows. It is not `Sendable` and is created
/// on the main actor, so it is used there.
final class FetchedRows<Object: ManagedObject>: @unchecked Sendable {
  private static var blockSize: Int { 256 }
  private static var mostBlocks: Int { 8 }

  private let snapshot: ResultsSnapshot<Object>
  private let context: ViewContext
  private var blocks: [(number: Int, objects: [Object?])] = []

  init(_ snapshot: ResultsSnapshot<Object>, _ context: ViewContext) {
    self.snapshot = snapshot
    self.context = context
  }

  func object(at index: Int) -> Object? {
    let (number, position) = index.quotientAndRemainder(dividingBy: Self.blockSize)
    let known = blocks.last { $0.number == number }?.objects[position]
    if let known, !known.isDeleted { return known }
    // A row that could not be read may be there now, and another object may have the row of a deleted one.
    return load(number)[position] ?? known
  }

  private func load(_ number: Int) -> [Object?] {
    let first = number * Self.blockSize
    let ids = (first..<min(first + Self.blockSize, snapshot.count)).map { snapshot[$0] }
    MainActor.assumeIsolated {
      blocks.removeAll { $0.number == number }
      if blocks.count == Self.mostBlocks { blocks.removeFirst() }
      blocks.append((number, context.shownObjects(ids)))
    }
    return blocks.last?.objects ?? []
  }
}
