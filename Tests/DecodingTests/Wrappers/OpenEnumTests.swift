import Decoding
import Foundation
import Testing

@Suite struct OpenEnumTests {
  enum Role: String { case admin, user }
  enum Level: Int { case low = 1, high }

  struct Account: Codable, Equatable {
    var role: OpenEnum<Role>
    var old: OpenEnum<Role>?
    var levels: [OpenEnum<Level>]
  }

  @Test(arguments: TestedDecoder.all) func `an unknown enum case is preserved without an error`(decoder: TestedDecoder)
    throws
  {
    let account = try decoder.decode(Account.self, #"{"role":"guest","levels":[1,7,2]}"#)
    #expect(account.role == .unknown("guest") && account.old == nil && account.role.known == nil)
    #expect(account.levels == [.known(.low), .unknown(7), .known(.high)] && account.levels[0].known == .low)
    #expect(try account.encoded == ["role": "guest", "levels": [1, 7, 2]])
    #expect(OpenEnum<Role>(rawValue: "admin") == .known(.admin) && Set([account.role, .unknown("guest")]).count == 1)
    for text in [#"{"role":1,"levels":[]}"#, #"{"role":"user","levels":["low"]}"#, #"{"role":null,"levels":[]}"#] {
      #expect(throws: (any Error).self) { try decoder.decode(Account.self, text) }
    }
  }

  struct Counts: Codable, Equatable {
    var byRole: [OpenEnum<Role>: Int]
    var byLevel: [OpenEnum<Level>: Int]
    @LossyDictionary var lossy: [OpenEnum<Level>: Int]
  }

  @Test(arguments: TestedDecoder.all) func `an open enum is the key of a dictionary that is an object`(
    decoder: TestedDecoder
  ) throws {
    let text = #"{"byRole":{"admin":1,"guest":2},"byLevel":{"1":3,"7":4},"lossy":{"2":5,"x":6}}"#
    let counts = try decoder.decode(Counts.self, text)
    #expect(counts.byRole == [.known(.admin): 1, .unknown("guest"): 2])
    #expect(counts.byLevel == [.known(.low): 3, .unknown(7): 4] && counts.lossy == [.known(.high): 5])
    #expect(counts.$lossy.map(\.path) == ["lossy.x"])
    #expect(
      try counts.encoded == ["byRole": ["admin": 1, "guest": 2], "byLevel": ["1": 3, "7": 4], "lossy": ["2": 5]])
    #expect(try decoder.decode(Counts.self, counts.encoded.description) == counts)
    #expect(throws: (any Error).self) { try decoder.decode([OpenEnum<Level>: Int].self, #"{"x":1}"#) }
  }
}
