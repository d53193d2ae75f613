/// Determines how fetches handle a row with a value that is not of its attribute's type, for example JSON that can no
/// longer be decoded, or a raw value that an enumeration does not have.
///
/// ``StoreConfiguration/onUnreadableValue`` returns the policy for each such value. An attribute that is declared with
/// `unreadable:` does not need one.
public enum UnreadableValuePolicy: Sendable, Hashable {
  /// The fetch throws ``PersistenceError/invalidValue(_:)``.
  case fail
  /// The object is left out. It is in no result and in no relationship, and looking up its id does not find it. If
  /// it is in memory when another context makes a value unreadable, it counts as deleted.
  ///
  /// SQLite still finds its row. Counts, ids, aggregates, groups and live results therefore include the object, and the
  /// limit and the offset of a request count it.
  case leaveOut
  /// The attribute has the default value of its declaration. The stored value is kept until another value is assigned
  /// to the attribute.
  case useDefault
}
