import Foundation
import Testing

@testable import FetchKit

@Suite struct RedactorTests {
  private func shown(_ name: String, _ value: String) -> String {
    Redactor.standard.text(of: HTTPHeaders.Field(name: name, value: value))
  }

  @Test(arguments: [
    "/@alice", "/@scope/name", "@alice", "users/@alice", "../@alice", "./a:b@c", "?q=a@b", "package@1.0/x", "/a:b@c",
    "/a//b@c", "//host/@alice", "http://host/@alice", "http://host//a@b",
  ])
  func `redaction keeps the part of a path before an at sign`(reference: String) {
    for name in ["Location", "content-location", "Referer"] { #expect(shown(name, reference) == reference) }
    #expect(shown("Link", "<\(reference)>; rel=next") == "<\(reference)>; rel=next")
  }

  @Test(arguments: [
    ("http://u:s3cret@h/a", "http://<redacted>@h/a"), ("//u:s3cret@h/a", "//<redacted>@h/a"),
    ("http://s3cret@h/@a", "http://<redacted>@h/@a"), ("http:/u:s3cret@h/a", "<redacted>@h/a"),
    ("http:u:s3cret@h/a", "<redacted>@h/a"), ("u:s3cret@h/a", "<redacted>@h/a"),
    ("u:s3cret@h//a", "<redacted>@h//a"), ("http:/u:s3cret@h//a", "<redacted>@h//a"),
    ("u:s3/cret@h", "<redacted>@h"), ("/go/http://u:s3cret@h/a", "/go/http://<redacted>@h/a"),
    ("/@a?token=s3cret&page=2#s3cret", "/@a?token=<redacted>&page=2"), ("?api_key=s3cret", "?api_key=<redacted>"),
    ("a?sig=s3cret", "a?sig=<redacted>"), ("#s3cret", ""),
  ])
  func `secrets in a URL reference are hidden in every field that has one`(reference: String, expected: String) {
    for name in ["Location", "Content-Location", "Referer"] { #expect(shown(name, reference) == expected) }
    #expect(shown("Refresh", "5; url=\(reference)").contains("s3cret") == false)
    #expect(shown("Link", "<\(reference)>; rel=next") == "<\(expected)>; rel=next")
    #expect(shown("link", "</a>, <\(reference)>") == "</a>, <\(expected)>")
    #expect(shown("Link", "</a>; anchor = \"\(reference)\"; rel=x") == "</a>; anchor = \"\(expected)\"; rel=x")
    for name in ["Location", "Content-Location", "Referer", "Refresh"] {
      let headers: HTTPHeaders = [name: reference, "Link": "<\(reference)>"]
      #expect(!headers.description.contains("s3cret"))
    }
  }

  @Test(arguments: [
    #"</a?page=2>; title="C#"; rel="next""#, #"</a>; title="a@b?token=x"; rel=next, </b>; title="\"<c#d"; rel=last"#,
    #"</a>; title="1 > 0 #1"; rel=next"#, #"</a>; title=C#; rel=next"#,
  ])
  func `a Link value without a reference is left unchanged`(value: String) {
    #expect(shown("Link", value) == value)
  }

  @Test(arguments: [
    "<http://u:s3cret@h/a", "http://u:s3cret@h/a>; rel=next", "u:s3cret@h", #"</a>; title="x, <//u:s3cret@h/>"#,
    "</a>; rel=\", <?token=s3cret>", "<<//u:s3cret@h>>",
  ])
  func `secrets are hidden in a malformed Link field too`(value: String) {
    #expect(!shown("Link", value).contains("s3cret"))
  }

  @Test func `a combining mark after a delimiter does not reveal a secret`() {
    let references = [
      "http://u:s3cret@h/a", "//u:s3cret@h/a", "http:/u:s3cret@h/a", "u:s3cret@h/a", "/go/http://u:s3cret@h/a",
      "/a?token=s3cret&page=2#s3cret", "?x=1&api_key=s3cret", "?x=1;api_key=s3cret", "a?sig=s3cret", "#s3cret",
      "?x&token=s3cret", "?x=1&y=2&token=s3cret", "?x=1;y=2;token=s3cret",
    ]
    let names = ["token", "api_key", "sig"]
    for reference in references {
      for index in reference.indices where "/:@?&;=#".contains(reference[index]) {
        // With a mark in it, this would be another delimiter, or another name.
        if reference[index...].contains("//") { continue }
        if names.contains(where: { reference[index...].dropFirst().hasPrefix($0) }) { continue }
        for mark in ["\u{301}", "\u{20E3}", "\u{FE0F}"] {
          var marked = reference
          marked.unicodeScalars.insert(contentsOf: mark.unicodeScalars, at: marked.index(after: index))
          for name in ["Location", "Refresh", "Referer"] {
            #expect(!shown(name, marked).contains("s3cret"), "\(marked)")
          }
          #expect(!shown("Link", "<\(marked)>; rel=next").contains("s3cret"))
          #expect(!shown("Link", "</a>; anchor=\"\(marked)\"").contains("s3cret"))
          if let url = URL(string: marked) { #expect(!Redactor.standard.text(of: url).contains("s3cret")) }
        }
      }
    }
    let form = Redactor.standard.text(
      ofBody: Data("a=1&\u{301}b=2&password=\u{301}s3cret".utf8), contentType: "application/x-www-form-urlencoded")
    #expect(form == "a=1&%CC%81b=2&password=<redacted>")
  }

  @Test(.timeLimit(.minutes(1))) func `redacting a long unterminated quoted string takes linear time`() {
    let value = "</a>; title=\"" + String(repeating: #"\""#, count: 150_000)
    #expect(shown("Link", value + "<//u:s3cret@h/>") == value + "<//<redacted>@h/>")
  }

  @Test(arguments: [
    "oauth_token", "oauth_signature", "oauth-verifier", "api_secret", "api_sig", "access_key", "secretKey",
    "client_assertion", "code_verifier", "PRIVATE_TOKEN", "passphrase",
  ])
  func `a query item whose name marks credentials is hidden`(name: String) throws {
    let url = try #require(URL(string: "http://h/?\(name)=s3cret&page=2"))
    #expect(Redactor.standard.text(of: url) == "http://h/?\(name)=<redacted>&page=2")
  }

  @Test(arguments: [
    "X-Amz-Security-Token", "X-Goog-Api-Key", "api-key", "Ocp-Apim-Subscription-Key", "X-Access-Token", "PRIVATE-TOKEN",
  ])
  func `a field whose name marks credentials is hidden and is not sent to another origin`(name: String) throws {
    #expect(shown(name, "s3cret") == "<redacted>")
    #expect(HTTPHeaders([HTTPHeaders.Field(name: name, value: "s3cret")]).description == "\(name): <redacted>")
    let request = HTTPRequest(.get, try #require(URL(string: "http://a/")), headers: [name: "s3cret"])
    let follower = RedirectFollower(.follow, redactor: .standard)
    let away = ResponseHead(status: 302, headers: ["Location": "http://b/"])
    #expect(follower.decide(after: away, to: request).request?.headers.isEmpty == true)
  }

  @Test(arguments: ["5; url=", "0;URL='", "1.5, ", ""])
  func `redaction finds the URL in a Refresh field`(lead: String) {
    #expect(shown("Refresh", lead + "/@a?page=2") == lead + "/@a?page=2")
    #expect(shown("Refresh", lead + "//u:s3cret@h/a") == lead + "//<redacted>@h/a")
    #expect(shown("Refresh", lead + "http://u:s3cret@h/a") == lead + "http://<redacted>@h/a")
  }

  @Test(arguments: ["s3cret@h/a", "u:s3cret@h", "http:/u:s3cret@h/a", "/u:s3cret@h", "http://u:s3cret@h//a"])
  func `secrets are hidden in a malformed request URL`(text: String) throws {
    let url = try #require(URL(string: text))
    #expect(!Redactor.standard.text(of: url).contains("s3cret"))
    #expect(!Redactor.textWithoutQuery(of: url).contains("s3cret"))
  }
}
