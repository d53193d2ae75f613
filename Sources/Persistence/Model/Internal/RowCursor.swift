/// The state that an object's attributes find on their thread during initialization: a row to read, numbers to take, or
/// a probe to report to.
@usableFromInline struct RowCursor {
  @usableFromInline enum Mode: UInt8 {
    case row, fresh, probe
  }

  @usableFromInline var statement: OpaquePointer?
  /// The next column. Column 0 is the id. The attribute in slot n is column n + 1.
  @usableFromInline var column: Int32 = 1
  @usableFromInline var mode: Mode
  /// The object's id. The first base initializer that runs takes it and sets it to zero.
  @usableFromInline var id: Int64 = 0
  /// The number of the next to-many relationship.
  @usableFromInline var relation: UInt32 = 0
  /// The first column whose value does not fit its attribute.
  @usableFromInline var mismatchedColumn: Int32 = 0
  // The caller that sets the cursor keeps both alive, and the cursor does not outlive that call. They are unmanaged so
  // that creating an object does not count references to them.
  @usableFromInline var owner: Unmanaged<ObjectOwner>?
  @usableFromInline var probe: Unmanaged<Probe>?

  init(_ mode: Mode, statement: OpaquePointer? = nil, owner: ObjectOwner? = nil, probe: Probe? = nil) {
    self.mode = mode
    self.statement = statement
    self.owner = owner.map { .passUnretained($0) }
    self.probe = probe.map { .passUnretained($0) }
  }
}
