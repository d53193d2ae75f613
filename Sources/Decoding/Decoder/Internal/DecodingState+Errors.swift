internal import Foundation

/// The errors that decoded types see. They are the standard library's, so that code written for Foundation's decoder
/// understands them. The decoder's entry points convert those that reach them into a `LocatedDecodingError`.
extension DecodingState {
  /// Returns the error for bytes that are not JSON or an invalid string; the offset is in `ScannerCore.fault` or
  /// `unreadable`.
  @inline(never)
  func syntaxError() -> DecodingError {
    if scanner.core.pointee.fault < 0, scanner.core.pointee.unreadable >= 0 {
      let place = scanner.core.pointee.unreadable
      return unreadableError(scanner.steps(to: place))
    }
    let offset = max(scanner.core.pointee.fault, 0)
    let text =
      switch scanner.core.pointee.faultReason {
      case .tooDeep: "The given data is nested too deeply at byte \(offset)."
      case .tooLarge: "The given data is too large: a limit was reached at byte \(offset)."
      default: "The given data was not valid JSON: unexpected input at byte \(offset)."
      }
    return .corrupted(text, at: [])
  }

  /// Returns the error for an invalid string, which makes only its own value invalid.
  private func unreadableError(_ path: [any CodingKey]) -> DecodingError {
    let offset = scanner.core.pointee.unreadable
    scanner.core.pointee.unreadable = -1
    let text = "The string has an unpaired surrogate at byte \(offset)."
    return .corrupted(text, at: path, ExpectedValue("a valid Unicode string"))
  }

  /// Returns the error for an invalid name in a value whose `init(from:)` returned without an error.
  @inline(never)
  func invalidNameError(_ node: Int) -> DecodingError {
    scanner.core.pointee.unreadable = Int(scanner.node(node).pointee.invalid)
    scanner.node(node).pointee.invalid = 0
    return syntaxError()
  }

  /// Returns the error for a value that is not a `type`.
  ///
  /// Types that try several kinds of value often cause this error and discard it, so its parts are cached: the text by
  /// type and kind found, and the path by value.
  @inline(never)
  func error(
    _ value: UInt32, _ type: Any.Type, container: String? = nil, _ path: @autoclosure () -> [any CodingKey]
  ) -> DecodingError {
    if scanner.core.pointee.fault >= 0 { return syntaxError() }
    if scanner.core.pointee.unreadable >= 0 { return unreadableError(path()) }
    let found = value == absentValue ? 0x6E : scanner.text[Int(value)]
    switch found {
    case 0x22, 0x7B, 0x5B: break
    case 0x74, 0x66, 0x6E:
      if value != absentValue, scanner.text.skipLiteral(Int(value)) < 0 {
        scanner.setFault(Int(value))
        return syntaxError()
      }
    case 0x2D, 0x30...0x39:
      guard let end = scanner.numberEnd(value) else { return syntaxError() }
      if text(type, container, found) == nil {
        let number = scanner.text.text(Int(value), end)
        return .corrupted("Parsed JSON number <\(number)> does not fit in \(type).", at: path())
      }
    default:
      scanner.setFault(Int(value))
      return syntaxError()
    }
    let context = DecodingError.Context(
      codingPath: path(), debugDescription: text(type, container, found) ?? "")  // not nil: that case is above
    return found == 0x6E ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }

  /// Describes a value whose kind is not the type's; nil for a number that is decoded as a different number type.
  private func text(_ type: Any.Type, _ container: String?, _ found: UInt8) -> String? {
    let isNumber = found == 0x2D || found &- 0x30 < 10
    return errors.wording(type, isNumber ? 0x30 : found) {
      if isNumber, container == nil, type is any Numeric.Type || type == Decimal.self { return nil }
      let name = container ?? "\(type)"
      return switch found {
      case 0x6E:
        container.map { "Cannot get \($0) decoding container -- found null value instead" }
          ?? "Cannot get value of type \(name) -- found null value instead"
      case 0x22: "Expected to decode \(type) but found a string instead."
      case 0x7B: "Expected to decode \(type) but found a dictionary instead."
      case 0x5B: "Expected to decode \(type) but found an array instead."
      case 0x74, 0x66: "Expected to decode \(type) but found bool instead."
      default: "Expected to decode \(type) but found number instead."
      }
    }
  }

  /// Adds details to an error from a decoded type's `init(from:)`: the cases of an enumeration. For the type's own
  /// error, the location is recorded, which is the innermost of all values around it.
  @inline(never)
  func noted(_ error: any Error, by type: Any.Type, _ value: UInt32) -> any Error {
    switch error {
    case DecodingError.dataCorrupted(let context):
      guard context.underlyingError == nil, context.debugDescription.hasPrefix("Cannot initialize "),
        let expected = ExpectedValue(casesOf: type)
      else { return error }
      return DecodingError.corrupted(context.debugDescription, at: context.codingPath, expected)
    case is DecodingError: break
    default: if thrown?.isSame(as: error) != true { thrown = ThrownError(error: error, value: value, type: type) }
    }
    return error
  }
}

/// The parts of recent errors, cached because a type that tries several kinds of value fails several times at the same
/// location.
struct ErrorCache {
  /// The description of a value whose kind is not the one that its type expects.
  struct Wording {
    var type: ObjectIdentifier
    var found: UInt8
    /// Nil if both the value and the type are numbers, in which case the value does not fit.
    var text: String?
  }

  private var wordings = [Wording?](repeating: nil, count: wordingCount)
  /// The path that was requested last, its value and the container around that, which the next value may share.
  var path: [any CodingKey] = []
  var value = absentValue
  var container = absentValue

  /// Returns the wording for a type and the first byte of what was found. `make` creates a missing one.
  mutating func wording(_ type: Any.Type, _ found: UInt8, _ make: () -> String?) -> String? {
    let id = ObjectIdentifier(type)
    let slot = (Int(bitPattern: id) >> 4 ^ Int(found)) & (wordingCount - 1)
    if let known = wordings[slot], known.type == id, known.found == found { return known.text }
    let text = make()
    wordings[slot] = Wording(type: id, found: found, text: text)
    return text
  }
}

private let wordingCount = 64
