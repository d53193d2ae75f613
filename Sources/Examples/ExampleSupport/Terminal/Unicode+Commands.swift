extension Unicode.Scalar {
  /// Whether a terminal obeys it: control characters, and those that turn the direction of what follows (UAX #9), by
  /// which a title could be read as another.
  var isCommand: Bool {
    switch value {
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF, 0xFFF9...0xFFFB: true
    default: properties.generalCategory == .control
    }
  }

  /// Whether it ends a line, or leaps to a column.
  var isBreak: Bool { [0x09, 0x0A, 0x2028, 0x2029].contains(value) }
}
