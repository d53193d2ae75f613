/// Returns the same value as a type that a comparison at run time has shown to be its own.
///
/// For callers of `decode(T)` that have found that `T` is `Int`: a dynamic cast would cost more than the decoding.
@inline(__always)
func reinterpret<Value, Result>(_ value: Value, as _: Result.Type) -> Result {
  unsafeBitCast(value, to: Result.self)
}

/// Returns the single reference that an array, a dictionary or a keyed container consists of.
///
/// Code that does not know the element type can pass it on without looking up its metadata (30 to 50 ns each). This is
/// valid for collections created here: they are native, never bridged or lazy, and a native array or dictionary is one
/// pointer to its storage on every platform.
@inline(__always)
func object<Collection>(of value: Collection) -> AnyObject {
  unsafeBitCast(value, to: AnyObject.self)
}
