import FetchKit
import Foundation
import SyncKit
import Testing

/// What an error of a fetch says about a request and a change.
@Suite struct FetchErrorTests {
  private func status(_ code: Int, _ headers: HTTPHeaders = [:], _ body: String = "", after: [Attempt] = [])
    -> FetchError
  {
    let failure = StatusFailure(status: code, headers: headers, body: Data(body.utf8))
    let last = Attempt(outcome: .status(code), duration: .zero)
    return .status(failure, FetchError.Context(attempts: after + [last]))
  }

  private func attempt(_ outcome: Attempt.Outcome) -> Attempt { Attempt(outcome: outcome, duration: .zero) }

  @Test(arguments: [
    (400, RemoteFailure.later(nil)), (401, .unauthorized), (403, .later(nil)), (404, .later(nil)), (429, .later(nil)),
    (500, .unknown), (502, .unknown), (503, .later(nil)), (504, .unknown),
  ])
  func `a status code says whether a request had an effect`(code: Int, failure: RemoteFailure) {
    #expect(RemoteFailure(status(code)) == failure)
  }

  @Test func `the server says when to repeat a request`() {
    #expect(RemoteFailure(status(429, ["Retry-After": "7"])) == .later(7000))
    #expect(RemoteFailure(status(503, ["Retry-After": "0"])) == .later(0))
  }

  @Test(arguments: [
    ConnectionFailure.refused, .offline, .nameNotResolved, .noResources, .unprocessed, .tls, .proxy, .lost,
  ])
  func `a request that was not sent had no effect`(failure: ConnectionFailure) {
    let expected: RemoteFailure = failure == .lost ? .unknown : .later(nil)
    #expect(RemoteFailure(FetchError.connection(failure, .init())) == expected)
  }

  @Test func `a timeout and an answer that cannot be read leave the effect unknown`() {
    struct Unreadable: Error {}
    #expect(RemoteFailure(FetchError.timeout(.connect, .init())) == .later(nil))
    #expect(RemoteFailure(FetchError.timeout(.idle, .init())) == .unknown)
    #expect(RemoteFailure(FetchError.timeout(.total, .init())) == .unknown)
    #expect(RemoteFailure(FetchError.extraction(Unreadable(), .init())) == .unknown)
    #expect(RemoteFailure(FetchError.cancelled(.init())) == .unknown)
    #expect(RemoteFailure(Unreadable()) == .unknown)
  }

  @Test func `an earlier attempt may have taken effect`() {
    let lost = attempt(.failed(.connection(.lost, detail: "")))
    let refused = attempt(.failed(.connection(.refused, detail: "")))
    #expect(RemoteFailure(status(429, after: [lost])) == .unknown)
    #expect(RemoteFailure(status(401, after: [attempt(.status(500))])) == .unknown)
    #expect(RemoteFailure(status(429, after: [refused, attempt(.status(503))])) == .later(nil))
    #expect(SyncOutcome(status(422, after: [lost])) == nil)
    // New credentials for a second attempt could not be obtained.
    let (signedOut, context) = (status(401), FetchError.Context(attempts: [lost]))
    #expect(RemoteFailure(FetchError.authentication(signedOut, context)) == .unknown)
    #expect(RemoteFailure(FetchError.authentication(signedOut, .init())) == .unauthorized)
    #expect(RemoteFailure(FetchError.authentication(FetchError.timeout(.total, .init()), .init())) == .later(nil))
  }

  @Test(arguments: [
    (400, "rejected"), (403, "rejected"), (404, "missing"), (405, "rejected"), (408, "later"), (409, "conflict"),
    (410, "gone"), (412, "conflict"), (422, "rejected"), (425, "later"), (428, "rejected"), (429, "later"),
    (503, "later"),
  ])
  func `a status code says what became of a change`(code: Int, name: String) throws {
    let outcome = try #require(SyncOutcome(status(code)))
    #expect("\(outcome)".hasPrefix(name))
  }

  @Test(arguments: [401, 500, 502, 504]) func `other codes say nothing about the change alone`(code: Int) {
    #expect(SyncOutcome(status(code)) == nil)
  }

  @Test(arguments: [
    (#"{"title": "Invalid", "detail": "too long"}"#, "too long"), (#"{"title": "Invalid"}"#, "Invalid"),
    (#"{"message": "no"}"#, "no"), (#"{"error": "no"}"#, "no"),
    (#"{"error": {"code": 7}}"#, "the server answered with status code 422"),
    ("<html>", "the server answered with status code 422"), ("", "the server answered with status code 422"),
  ])
  func `a rejection says why`(body: String, reason: String) throws {
    guard case .rejected(let text)? = SyncOutcome(status(422, [:], body)) else {
      Issue.record("it is no rejection")
      return
    }
    #expect(text == reason)
  }

  @Test func `a weak tag is no version`() {
    #expect(RemoteVersion(entityTag: #""a""#) == .opaque(#""a""#))
    #expect(RemoteVersion(entityTag: #"W/"a""#) == nil)
    #expect(RemoteVersion(entityTag: nil) == nil)
  }
}
