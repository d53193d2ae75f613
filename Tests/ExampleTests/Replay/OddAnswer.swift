import FetchKit
import FetchKitTesting
import Foundation
import TestSupport
import Testing

/// An answer that a server gives rarely, or should not give at all.
struct OddAnswer: Sendable {
  let name: String
  /// Given the id that was asked for, and how many requests came before.
  let make: @Sendable (_ id: String, _ before: Int) -> LoopbackResponse

  init(_ name: String, _ make: @escaping @Sendable (_ id: String, _ before: Int) -> LoopbackResponse) {
    self.name = name
    self.make = make
  }

  init(_ name: String, _ response: LoopbackResponse) {
    self.init(name) { _, _ in response }
  }

  /// JSON, in which `ID` stands for the id that was asked for.
  init(_ name: String, json: String, status: Int = 200) {
    self.init(name) { id, _ in .json(json.replacing("ID", with: id), status: status) }
  }

  /// This answer with another status.
  func status(_ status: Int) -> OddAnswer {
    OddAnswer("\(name), status \(status)") { [make] id, before in
      var response = make(id, before)
      response.status = status
      return response
    }
  }

  /// This answer after one that asks to wait for a second.
  func afterWaiting() -> OddAnswer {
    OddAnswer("429 once, then \(name)") { [make] id, before in
      before == 0 ? .status(429, headers: ["Retry-After": "1"]) : make(id, before)
    }
  }

  /// This answer a few bytes at a time.
  func dripping() -> OddAnswer {
    OddAnswer("\(name), dripping") { [make] id, before in
      make(id, before).dripping(bytes: 40, every: .milliseconds(1))
    }
  }

  /// Half of this answer, and then the end of the connection.
  func truncated() -> OddAnswer {
    OddAnswer("\(name), truncated") { [make] id, before in
      let response = make(id, before)
      guard case .data(let body) = response.body else { return response }
      return response.cut(after: .body(bytes: body.count / 2), by: .close)
    }
  }

  /// Half of this answer as if it were all.
  func halved() -> OddAnswer {
    OddAnswer("half of \(name)") { [make] id, before in
      var response = make(id, before)
      if case .data(let body) = response.body { response.body = .data(body.prefix(body.count / 2)) }
      return response
    }
  }

  static let html = OddAnswer(
    "HTML",
    LoopbackResponse(
      headers: ["Content-Type": "text/html"],
      body: .data(Data("<html><body>Log in to the hotel's network</body></html>".utf8))))
}

/// A row of a table: an answer, and what a program makes of it.
struct ReplayRow: Sendable, CustomTestStringConvertible {
  let answer: OddAnswer
  let exit: Int32
  /// A part of what it says about it.
  let says: String

  init(_ answer: OddAnswer, exit: Int32, says: String) {
    self.answer = answer
    self.exit = exit
    self.says = says
  }

  var testDescription: String { answer.name }

  func isSaid(by output: ChildProcess.Output) -> Bool {
    says.isEmpty || (output.text + output.errors).contains(says)
  }

  /// Answers that are none for any request of any API; all of them fail.
  static let neverAnAnswer = [
    ReplayRow(OddAnswer("{}", json: "{}"), exit: 1, says: "could not be understood"),
    ReplayRow(OddAnswer("null", json: "null"), exit: 1, says: "could not be understood"),
    ReplayRow(OddAnswer("[]", json: "[]"), exit: 1, says: "could not be understood"),
    ReplayRow(OddAnswer("a text", json: #""ok""#), exit: 1, says: "could not be understood"),
    ReplayRow(.html, exit: 1, says: "not JSON"),
    ReplayRow(OddAnswer("200 without a body", .status(200)), exit: 1, says: "empty"),
    ReplayRow(.html.status(403), exit: 1, says: "status 403"),
    ReplayRow(
      OddAnswer("a redirect in a circle") { _, _ in LoopbackResponse.redirect(to: "?again") }, exit: 1,
      says: "redirect"),
  ]
}
