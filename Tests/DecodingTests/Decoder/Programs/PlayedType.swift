import Foundation

/// A type that a program asks for.
struct PlayedType: Sendable {
  let type: any (Decodable & SendableMetatype).Type
  /// Whether its parts are decoded in an order that differs from decoder to decoder.
  var isUnordered = false

  static let all: [PlayedType] = [
    PlayedType(type: Int.self), PlayedType(type: Double.self), PlayedType(type: String.self),
    PlayedType(type: Bool.self), PlayedType(type: UInt8.self), PlayedType(type: Float.self),
    PlayedType(type: Int64.self), PlayedType(type: Int128.self), PlayedType(type: Int?.self),
    PlayedType(type: String?.self), PlayedType(type: URL.self), PlayedType(type: Date.self),
    PlayedType(type: Data.self), PlayedType(type: Decimal.self), PlayedType(type: [Int].self),
    PlayedType(type: [Double].self), PlayedType(type: [String].self), PlayedType(type: [Bool].self),
    PlayedType(type: [Int?].self), PlayedType(type: [[Int]].self), PlayedType(type: [[Double]].self),
    PlayedType(type: [[[Double]]].self), PlayedType(type: Set<Int>.self),
    PlayedType(type: [String: Int].self, isUnordered: true), PlayedType(type: [String: Double].self, isUnordered: true),
    PlayedType(type: [String: String].self, isUnordered: true),
    PlayedType(type: [String: Bool].self, isUnordered: true), PlayedType(type: [String: Int?].self, isUnordered: true),
    PlayedType(type: [String: [Int]].self, isUnordered: true),
    PlayedType(type: [String: [String: Int]].self, isUnordered: true),
    PlayedType(type: [[String: Int]].self, isUnordered: true), PlayedType(type: [Int: String].self, isUnordered: true),
    PlayedType(type: [Int: Int].self, isUnordered: true),
  ]

  static let played: [PlayedType] = [
    PlayedType(type: Played.self), PlayedType(type: Played?.self), PlayedType(type: [Played].self),
    PlayedType(type: [[Played]].self), PlayedType(type: [String: Played].self, isUnordered: true),
    PlayedType(type: [String: [Played]].self, isUnordered: true),
  ]

  static func any(_ random: inout some RandomNumberGenerator) -> PlayedType {
    let types = Int.random(in: 0..<3, using: &random) == 0 ? played : all
    return types[Int.random(in: 0..<types.count, using: &random)]
  }
}
