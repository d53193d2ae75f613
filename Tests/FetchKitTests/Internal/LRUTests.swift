import Foundation
import LarderTestSupport
import Testing

@testable import FetchKit

@Suite struct LRUTests {
  @Test func `the LRU cache behaves like a list searched from the front`() {
    var random = SplitMix.printed()
    var lru = LRU<Int, Int>(limit: 100)
    var model: [(key: Int, value: Int, cost: Int)] = []
    for step in 0..<20_000 {
      let key = Int.random(in: 0..<40, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<4:
        let cost = Int.random(in: 0...(step.isMultiple(of: 50) ? 120 : 30), using: &random)
        lru.set(key, step, cost: cost)
        model.removeAll { $0.key == key }
        if cost <= 100 { model.append((key, step, cost)) }
        while model.reduce(0, { $0 + $1.cost }) > 100 { model.removeFirst() }
      case 4..<8:
        let index = model.firstIndex { $0.key == key }
        #expect(lru.use(key) == index.map { model[$0].value })
        if let index { model.append(model.remove(at: index)) }
      case 8:
        lru.remove(key)
        model.removeAll { $0.key == key }
      default: #expect(lru.peek(key) == model.first { $0.key == key }?.value)
      }
      guard lru.cost == model.reduce(0, { $0 + $1.cost }), lru.count == model.count else {
        Issue.record("the cache differs from the list at step \(step)")
        return
      }
      // What another value displaces shows the order.
      var (next, rest) = (lru, model)
      let cost = Int.random(in: 1...100, using: &random)
      next.set(-1, step, cost: cost)
      while rest.reduce(cost, { $0 + $1.cost }) > 100 { rest.removeFirst() }
      guard next.count == rest.count + 1, rest.allSatisfy({ next.peek($0.key) == $0.value }) else {
        Issue.record("the cache's order differs from the list's at step \(step)")
        return
      }
    }
    lru.removeAll()
    #expect(lru.count == 0)
    #expect(lru.cost == 0)
  }
}
