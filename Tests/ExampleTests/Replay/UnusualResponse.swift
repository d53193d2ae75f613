import FetchKit
import FetchKitTesting
import Foundation
import LarderTestSupport
import Testing

/// A response that a server sends rarely, or should not send at all.
struct UnusualResponse: Sendable {
  let name: String
  /// Called with the requested id, and the number of earlier requests.
  let make: @Sendable (_ id: String, _ before: Int) -> LoopbackResponse

  init(_ name: String, _ make: @escaping @Sendable (_ id: String, _ before: Int) -> LoopbackResponse) {
    self.name = name
    self.make = make
  }

  init(_ name: String, _ response: LoopbackResponse) {
    self.init(name) { _, _ in response }
  }

  /// JSON, in which `ID` stands for the requested id.
  init(_ name: String, json: String, status: Int = 200) {
    self.init(name) { id, _ in .json(json.replacing("ID", with: id), status: status) }
  }

  /// This response with another status.
  func status(_ status: Int) -> UnusualResponse {
    UnusualResponse("\(name), status \(status)") { [make] id, before in
      var response = make(id, before)
      response.status = status
      return response
    }
  }

  /// This response after one that asks the client to wait for a second.
  func afterWaiting() -> UnusualResponse {
    UnusualResponse("429 once, then \(name)") { [make] id, before in
      before == 0 ? .status(429, headers: ["Retry-After": "1"]) : make(id, before)
    }
  }

  /// This response a few bytes at a time.
  func dripping() -> UnusualResponse {
    UnusualResponse("\(name), dripping") { [make] id, before in
      make(id, before).dripping(bytes: 40, every: .milliseconds(1))
    }
  }

  /// Half of this response, and then the end of the connection.
  func truncated() -> UnusualResponse {
    UnusualResponse("\(name), truncated") { [make] id, before in
      let response = make(id, before)
      guard case .data(let body) = response.body else { return response }
      return response.cut(after: .body(bytes: body.count / 2), by: .close)
    }
  }

  /// Half of this response as if it were whole.
  func halved() -> UnusualResponse {
    UnusualResponse("half of \(name)") { [make] id, before in
      var response = make(id, before)
      if case .data(let body) = response.body { response.body = .data(body.prefix(body.count / 2)) }
      return response
    }
  }

  static let html = UnusualResponse(
    "HTML",
    LoopbackResponse(
      headers: ["Content-Type": "text/html"],
      body: .data(Data("<html><body>Log in to the hotel's network</body></html>".utf8))))
}

/// A row of a table: a response, and how a program handles it.
struct ReplayRow: Sendable, CustomTestStringConvertible {
  let answer: UnusualResponse
  let exit: Int32
  /// A part of what the program prints about it.
  let says: String

  init(_ answer: UnusualResponse, exit: Int32, says: String) {
    self.answer = answer
    self.exit = exit
    self.says = says
  }

  var testDescription: String { answer.name }

  func isSaid(by output: ChildProcess.Output) -> Bool {
    says.isEmpty || (output.text + output.errors).contains(says)
  }

  /// Responses that no request of any API expects; all of them fail.
  static let neverAnAnswer = [
    ReplayRow(UnusualResponse("{}", json: "{}"), exit: 1, says: "could not be understood"),
    ReplayRow(UnusualResponse("null", json: "null"), exit: 1, says: "could not be understood"),
    ReplayRow(UnusualResponse("[]", json: "[]"), exit: 1, says: "could not be understood"),
    ReplayRow(UnusualResponse("a text", json: #""ok""#), exit: 1, says: "could not be understood"),
    ReplayRow(.html, exit: 1, says: "not JSON"),
    ReplayRow(UnusualResponse("200 without a body", .status(200)), exit: 1, says: "empty"),
    ReplayRow(.html.status(403), exit: 1, says: "status 403"),
    ReplayRow(
      UnusualResponse("a redirect in a circle") { _, _ in LoopbackResponse.redirect(to: "?again") }, exit: 1,
      says: "redirect"),
  ]
}
