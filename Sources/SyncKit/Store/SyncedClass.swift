package import Persistence

/// A class whose objects are kept in step with a server.
package struct SyncedClass {
  let type: ManagedObject.Type
  let key: AnyKeyPath
  let created: CreationSettling
  let tracked: TrackedClass

  /// The name of the class in the schema.
  var name: String { _typeName(type, qualified: false) }

  /// - Parameters:
  ///   - key: The unique attribute with which the server names the row. It is nil until the server assigns it, or made
  ///     by the app before that.
  ///   - created: How to find out whether a row was created, if no answer arrived.
  ///   - local: Attributes and relationships that stay in this store.
  ///   - independent: Those whose changes do not belong together with other changes of the same commit.
  package init<Object: ManagedObject, Key>(
    _ type: Object.Type, key: KeyPath<Object, Key>, created: CreationSettling,
    local: [PartialKeyPath<Object>] = [], independent: [PartialKeyPath<Object>] = []
  ) {
    (self.type, self.key, self.created) = (type, key, created)
    tracked = TrackedClass(type, ignoring: local, independent: independent)
  }
}

extension Schema {
  /// Returns the same schema, whose stores remember what is changed until it is sent.
  package func synchronizing(_ classes: [SyncedClass]) -> Schema { tracking(classes.map(\.tracked)) }
}

/// A class cannot be synchronized as it was declared.
package struct SyncSchemaError: Error, Hashable, CustomStringConvertible {
  package let type: String
  package let text: String

  package var description: String { "\(type) cannot be synchronized: \(text)" }
}
