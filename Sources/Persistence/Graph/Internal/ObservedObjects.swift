internal import Observation

/// Who reads which properties of a view context's objects.
///
/// Assignments to attributes notify at once. Everything else notes what it changes, and notifies when it is done,
/// because observers are user code: they may read, edit and save.
final class ObservedObjects {
  /// The number of an object's entry is in the upper bits of its state. It is 0 until the object is read.
  @exclusivity(unchecked) private var registrars: ContiguousArray<ObservationRegistrar> = [ObservationRegistrar()]
  private let paths = ManagedObject.propertyPaths
  private var unused: ContiguousArray<Int> = []
  private var noted: ContiguousArray<(object: ManagedObject, property: Int)> = []
  /// Objects that were read lately. What reads `story.author.name` retains no author, and is to be notified all the
  /// same.
  private var retained: ContiguousArray<ManagedObject> = []
  private var nextRetained = 0
  private static let mostRetained = 4096
  /// While it is above 0, the space is between two states.
  private var edits = 0

  /// The state has room for no more numbers. Objects that are read after that many are not observed.
  private static let limit = 1 << (UInt32.bitWidth - ObjectState.observerShift)

  func didRead(_ object: ManagedObject, _ property: Int) {
    guard property < paths.count else { return }
    var number = Int(object._state &>> ObjectState.observerShift)
    if number == 0 { number = add(object) }
    // In place, because copies of both cost more than the rest. This calls no user code, which could change the array.
    registrars.withUnsafeBufferPointer { registrars in
      paths.withUnsafeBufferPointer { paths in
        if number != 0 { registrars[number].access(object, keyPath: paths[property]) }
      }
    }
  }

  @inline(never) private func add(_ object: ManagedObject) -> Int {
    guard let number = unused.popLast() ?? (registrars.count < Self.limit ? registrars.count : nil) else { return 0 }
    if number == registrars.count { registrars.append(ObservationRegistrar()) }
    if retained.count < Self.mostRetained {
      retained.append(object)
    } else {
      retained[nextRetained] = object
      nextRetained = (nextRetained + 1) % retained.count
    }
    object._state |= UInt32(number) &<< ObjectState.observerShift
    return number
  }

  /// Releases the objects that were read lately.
  func release() {
    let objects = retained
    (retained, nextRetained) = ([], 0)
    withExtendedLifetime(objects) {}
  }

  /// Called from the object's `deinit`.
  func forget(_ object: ManagedObject) {
    let number = Int(object._state &>> ObjectState.observerShift)
    if number == 0 { return }
    registrars[number] = ObservationRegistrar()
    unused.append(number)
  }

  func willSet(_ object: ManagedObject, _ property: Int) {
    registrar(of: object)?.willSet(object, keyPath: paths[property])
  }

  func didSet(_ object: ManagedObject, _ property: Int) {
    registrar(of: object)?.didSet(object, keyPath: paths[property])
  }

  /// Remembers that a property has changed, until ``notify()``.
  func note(_ object: ManagedObject, _ property: Int) {
    guard object._state &>> ObjectState.observerShift != 0, property < paths.count else { return }
    noted.append((object, property))
  }

  /// Makes an edit in several steps, and then notifies.
  func whileEditing(_ body: () -> Void) {
    edits += 1
    body()
    edits -= 1
    notify()
  }

  /// Calls the observers of all that was noted. They may change more.
  func notify() {
    while edits == 0, !noted.isEmpty {
      let changed = noted
      noted = []
      for (object, property) in changed {
        willSet(object, property)
        didSet(object, property)
      }
    }
  }

  private func registrar(of object: ManagedObject) -> ObservationRegistrar? {
    let number = Int(object._state &>> ObjectState.observerShift)
    return number == 0 ? nil : registrars[number]
  }
}
