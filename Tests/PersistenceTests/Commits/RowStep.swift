@testable import Persistence

/// What a closure can do to one row.
enum RowStep: CaseIterable {
  case fetch, query, editName, editRating, tag, move, bulkUpdate, imported
  /// The row is imported in the first of two batches, or edited while its batch is bound.
  case importBefore, importFetching, importAfter
  case delete, bulkDelete, insert, restore, apply
}

/// The row as the steps should leave it.
struct RowModel: Equatable {
  var name = ""
  var rating = 1.5
  var year: Int?
  var studio: Int64?
  var isTagged = false
  /// Whether it is the row from before the transaction, or that row restored.
  var isOriginal = false
}

/// A row that steps are taken with, and what the steps need.
final class RowUnderTest {
  static let base = RowModel(name: "base", rating: 2.5, studio: 1, isTagged: true, isOriginal: true)
  /// The keys of the other rows of an import. The last one is in the second batch.
  static let others = (1...Int64(RowImporter.batch)).map { -$0 }

  let key: Int64
  var model: RowModel?
  /// Undoes the deletion of the row, and sets its year.
  var restoration: ChangeSet?
  var change: ChangeSet?
  /// The objects that the test keeps in memory.
  var held: [Title] = []
  private var id: ObjectID<Title>?

  init(key: Int64, _ model: RowModel?, id: ObjectID<Title>?) {
    (self.key, self.model, self.id) = (key, model, id)
  }

  /// The row's object. A known id is looked up without a query, which would write what is pending.
  func object(_ objects: ObjectSpace) throws -> Title? {
    let object = try id.flatMap { try objects.existingObject($0) }
    let found = try object ?? objects.fetch(Title.self) { $0.remoteID == self.key }.first
    id = found?.id
    return found
  }

  func take(_ step: RowStep, number: Int, in objects: ObjectSpace) throws {
    let object = model == nil ? nil : try self.object(objects)
    switch step {
    case .fetch: if let object { held.append(object) }
    case .query: _ = try objects.count(Title.self) { $0.rating > 0 }
    case .editName: set("edited \(number)", of: object)
    case .editRating:
      model?.rating = Double(number)
      object?.rating = Double(number)
    case .tag:
      guard let object, let tag = try objects.fetch(Tag.self).first else { return }
      if object.tags.contains(tag) { object.tags.remove(tag) } else { object.tags.insert(tag) }
      model?.isTagged.toggle()
    case .move:
      let studio = model?.studio == 1 ? 2 : 1
      object?.studio = try objects.existingObject(ObjectID<House>(rawValue: Int64(studio)))
      model?.studio = Int64(studio)
    case .bulkUpdate:
      try objects.update(Title.self, where: { $0.remoteID == self.key }, set: [.set(\.name, to: "bulk \(number)")])
      model?.name = "bulk \(number)"
    case .imported: try load([key], number, in: objects) { _ in }
    case .importBefore:
      try load([key], number, in: objects) { _ in
        self.set("lost", of: object)
        self.model?.rating = -Double(number)
        object?.rating = -Double(number)
      }
    case .importFetching, .importAfter:
      try load([key] + RowUnderTest.others, number, in: objects) { key in
        guard key == RowUnderTest.others.last else { return }
        self.model = self.model.map { self.imported($0, number) } ?? self.imported(RowModel(), number)
        guard let object = try self.object(objects) else { throw Stop() }
        if step == .importAfter { self.set("after \(number)", of: object) } else { self.held.append(object) }
      }
    case .delete:
      if let object { objects.delete(object) }
      (model, id) = (nil, nil)
    case .bulkDelete:
      try objects.delete(Title.self) { $0.remoteID == self.key }
      (model, id) = (nil, nil)
    case .insert:
      if model != nil { return }
      let object = objects.insert(Title.self)
      (object.remoteID, object.name) = (key, "inserted \(number)")
      (model, id) = (RowModel(name: object.name), object.id)
    case .restore:
      guard model == nil, let restoration else { return }
      try objects.apply(restoration)
      model = RowUnderTest.base
    case .apply:
      guard model?.isOriginal == true, let change else { return }
      try objects.apply(change)
      model?.year = 2
    }
  }

  private func set(_ name: String, of object: Title?) {
    model?.name = name
    object?.name = name
  }

  private func imported(_ model: RowModel, _ number: Int) -> RowModel {
    var model = model
    model.name = "imported \(number)"
    return model
  }

  /// - Parameter body: Called while the values of each row are bound.
  private func load(
    _ keys: [Int64], _ number: Int, in objects: ObjectSpace, _ body: @escaping (Int64) throws -> Void
  ) throws {
    var failure: (any Error)?
    var isDone = false
    let fields: [ImportField<Title, Int64>] = [
      .set(\.remoteID) { key in
        do { try body(key) } catch { failure = error }
        isDone = isDone || key == RowUnderTest.others.last
        return key
      }, .set(\.name) { _ in "imported \(number)" },
    ]
    try objects.import(keys, into: Title.self, matching: \.remoteID, fields)
    if let failure { throw failure }
    if !isDone { model = imported(model ?? RowModel(), number) }
    if model?.isOriginal != true { id = nil }
  }
}
