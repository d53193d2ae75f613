#if !LARDER_MIRROR
/// A stored property of a class or of one of its superclasses.
///
/// `Mirror` does not expose offsets. Each mirror also first searches all conformances of the process for a custom
/// mirror, which took half of the time of opening a store with a hundred classes. Therefore this type calls the three
/// runtime functions that `Mirror` is built on. No module declares them, so they are declared by name: Apple's SDKs
/// hide the Swift function above them, `_forEachField`. The runtime exports all three on every platform, and on Apple's
/// platforms they have been part of its stable ABI since 5.2. For a runtime without them, `-D LARDER_MIRROR` takes
/// ``Sample/mirroredWrappers()`` instead.
struct StoredField {
  let name: String
  /// In bytes, from the start of the instance.
  let offset: Int
  let type: Any.Type

  fileprivate init(_ index: Int, of type: AnyClass) {
    var details = Details()
    self.type = fieldType(type, index, &details)
    defer { details.free?(details.name) }
    name = details.name.map { String(cString: $0) } ?? ""
    offset = fieldOffset(type, index)
  }
}

/// The stored properties of classes. Those of a common superclass are looked up once, because the runtime looks up the
/// type of each property.
struct StoredFields {
  private let base: AnyClass
  private var known: [ObjectIdentifier: [StoredField]] = [:]

  init(below base: AnyClass) { self.base = base }

  /// Returns the properties of superclasses first, without those of `base`. Empty if the class was compiled without
  /// reflection metadata.
  mutating func all(of type: AnyClass) -> [StoredField] {
    guard type != base, let superclass = _getSuperclass(type) else { return [] }
    if let fields = known[ObjectIdentifier(type)] { return fields }
    let fields =
      all(of: superclass) + (fieldCount(superclass)..<fieldCount(type)).map { StoredField($0, of: type) }
    known[ObjectIdentifier(type)] = fields
    return fields
  }
}

/// Laid out the way the runtime fills it: a pointer, a C function pointer and two Booleans.
private struct Details {
  var name: UnsafePointer<CChar>?
  var free: (@convention(c) (UnsafePointer<CChar>?) -> Void)?
  var isStrong = false
  var isVariable = false
}

@_silgen_name("swift_reflectionMirror_recursiveCount")
private func fieldCount(_ type: Any.Type) -> Int

@_silgen_name("swift_reflectionMirror_recursiveChildOffset")
private func fieldOffset(_ type: Any.Type, _ index: Int) -> Int

@_silgen_name("swift_reflectionMirror_recursiveChildMetadata")
private func fieldType(_ type: Any.Type, _ index: Int, _ details: UnsafeMutablePointer<Details>) -> Any.Type
#else
struct StoredFields { init(below base: AnyClass) {} }
#endif
