extension AnyKeyPath {
  /// The root and the properties, or their types if their names cannot be determined.
  var queryDescription: String {
    let text = "\(self)"
    guard text.contains("<computed") else { return text }
    if hasSeveralComponents { return text.replacing(/<computed 0x[0-9a-f]+ \((.+?)\)>/) { "<\($0.output.1)>" } }
    return "a computed property of \(type(of: self).rootType) of type \(type(of: self).valueType)"
  }

  /// Whether the key path leads beyond a property, as in `\.studio!.name`. Reading such a key path can trap.
  ///
  /// Only the description shows it, and never by mistake: there, a computed property is `<computed 0x… (String)>` or
  /// has its name, and a subscript is `subscript(_: )` or looks like a computed property.
  var hasSeveralComponents: Bool {
    var (depth, steps) = (0, 0)
    // Not interpolated: the first interpolation in a process takes most of a millisecond.
    for byte in debugDescription.utf8 {
      switch Character(Unicode.Scalar(byte)) {
      case "<", "(", "[": depth += 1
      case ">", ")", "]": depth -= 1
      case ".", "!", "?": if depth == 0 { steps += 1 }
      default: break
      }
    }
    // The first one follows the root.
    return steps > 1
  }
}
