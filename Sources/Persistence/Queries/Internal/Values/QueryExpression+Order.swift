internal import Foundation

extension QueryExpression.Order {
  func holds(_ left: StoredValue, _ right: StoredValue) -> Bool {
    guard let order = left.order(to: right) else { return false }
    return switch self {
    case .less: order == .orderedAscending
    case .lessOrEqual: order != .orderedDescending
    case .greater: order == .orderedDescending
    case .greaterOrEqual: order != .orderedAscending
    }
  }
}
