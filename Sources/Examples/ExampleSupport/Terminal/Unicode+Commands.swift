extension Unicode.Scalar {
  /// Whether the character controls the terminal: control characters, and those that change the writing direction (UAX
  /// #9), which could disguise one title as another.
  var isCommand: Bool {
    switch value {
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF, 0xFFF9...0xFFFB: true
    default: properties.generalCategory == .control
    }
  }

  /// Whether the character ends a line or jumps to a tab stop.
  var isBreak: Bool { [0x09, 0x0A, 0x2028, 0x2029].contains(value) }
}
