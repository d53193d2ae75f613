internal import Foundation

/// Decoding of the Foundation types that have strategies.
extension DecodingState {
  func date(_ value: UInt32, _ place: ValuePlace) throws -> Date {
    if scanner.isNull(value) { throw error(value, Date.self, path(value, place)) }
    switch options.dateDecodingStrategy {
    case .deferredToDate: return try decodeInside(value, place) { try Date(from: $0) }
    case .secondsSince1970: return Date(timeIntervalSince1970: try seconds(value, place))
    case .millisecondsSince1970: return Date(timeIntervalSince1970: try seconds(value, place) / 1000)
    case .iso8601:
      let text = try string(value, place)
      if let date = text.withByteView(ISO8601Reader.wholeSeconds) { return date }
      do {
        return try Date.ISO8601FormatStyle().parse(text)
      } catch {
        throw DecodingError.corrupted("Expected date string to be ISO8601-formatted.", at: path(value, place))
      }
    #if canImport(ObjectiveC)
    case .formatted(let formatter):
      guard let date = formatter.date(from: try string(value, place)) else {
        throw DecodingError.corrupted(
          "Date string does not match format expected by formatter.", at: path(value, place))
      }
      return date
    #endif
    case .custom(let closure): return try decodeInside(value, place) { try noting(Date.self, $0) { try closure($0) } }
    @unknown default:
      throw DecodingError.corrupted("This date decoding strategy is not supported.", at: path(value, place))
    }
  }

  func data(_ value: UInt32, _ place: ValuePlace) throws -> Data {
    if scanner.isNull(value) { throw error(value, Data.self, path(value, place)) }
    switch options.dataDecodingStrategy {
    case .deferredToData: return try decodeInside(value, place) { try Data(from: $0) }
    case .base64:
      guard let data = Data(base64Encoded: try string(value, place)) else {
        throw DecodingError.corrupted("Encountered Data is not valid Base64.", at: path(value, place))
      }
      return data
    case .custom(let closure): return try decodeInside(value, place) { try noting(Data.self, $0) { try closure($0) } }
    @unknown default:
      throw DecodingError.corrupted("This data decoding strategy is not supported.", at: path(value, place))
    }
  }

  /// Returns the number with as many of its digits as a `Decimal` can hold.
  func decimal(_ value: UInt32) -> Decimal? {
    guard let end = scanner.numberEnd(value) else { return nil }
    guard let decimal = Decimal(string: scanner.text.text(Int(value), end)), !decimal.isNaN else { return nil }
    scanner.took(Int(value), end)
    return decimal
  }

  private func seconds(_ value: UInt32, _ place: ValuePlace) throws -> Double {
    guard let seconds = Double.read(scanner, value) ?? nonConforming(value, as: Double.self) else {
      throw error(value, Double.self, path(value, place))
    }
    return seconds
  }

  private func string(_ value: UInt32, _ place: ValuePlace) throws -> String {
    guard let text = String.read(scanner, value) else { throw error(value, String.self, path(value, place)) }
    return text
  }
}
