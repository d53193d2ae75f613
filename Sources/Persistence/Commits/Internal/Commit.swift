/// A change set and its position among the commits of a container.
struct Commit: Sendable {
  let number: UInt64
  let changes: ChangeSet
}
