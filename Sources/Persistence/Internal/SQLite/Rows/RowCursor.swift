/// What the attributes of an object find on their thread while it is being made: a row to read, numbers to take, or a
/// probe to report to.
@usableFromInline struct RowCursor {
  @usableFromInline enum Mode: UInt8 {
    case row, fresh, probe
  }

  @usableFromInline var statement: OpaquePointer?
  /// The next column. Column 0 is the id; the attribute in slot n is column n + 1.
  @usableFromInline var column: Int32 = 1
  @usableFromInline var mode: Mode
  /// The object's id; taken, and set to zero, by the first base initializer that runs.
  @usableFromInline var id: Int64 = 0
  /// The number of the next to-many.
  @usableFromInline var relation: UInt32 = 0
  /// The first column whose value its attribute could not take.
  @usableFromInline var misfit: Int32 = 0
  // Both are kept alive by the caller that set the cursor, and the cursor does not outlive its call. Unmanaged, so that
  // making an object does not count references to them.
  @usableFromInline var table: Unmanaged<ObjectTable>?
  @usableFromInline var probe: Unmanaged<Probe>?

  init(_ mode: Mode, statement: OpaquePointer? = nil, table: ObjectTable? = nil, probe: Probe? = nil) {
    self.mode = mode
    self.statement = statement
    self.table = table.map { .passUnretained($0) }
    self.probe = probe.map { .passUnretained($0) }
  }
}
