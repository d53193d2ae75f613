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
}
