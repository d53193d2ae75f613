import FetchKit
import FetchKitTesting
import Foundation
import Testing

@Suite struct EndpointTests {
  struct Parts: Endpoint {
    var base = "https://api.example.com/3"
    var path = ""
    var segments: [String]?
    var queryItems: [URLQueryItem] = []
    var fails = false

    var baseURL: URL { URL(string: base) ?? URL(filePath: "/nowhere") }
    var pathSegments: [String] {
      segments ?? (path.isEmpty ? [] : path.split(separator: "/", omittingEmptySubsequences: false).map(String.init))
    }
    var body: RequestBody {
      get throws {
        if fails { throw CocoaError(.coderInvalidValue) }
        return .none
      }
    }
  }

  @Test(arguments: [
    ("", "https://api.example.com/3"),
    ("movie/275", "https://api.example.com/3/movie/275"),
    ("/movie/275/", "https://api.example.com/3/movie/275/"),
    ("a b/ü/%2F", "https://api.example.com/3/a%20b/%C3%BC/%252F"),
    ("q?x#y", "https://api.example.com/3/q%3Fx%23y"),
    ("a+b&c=d;e", "https://api.example.com/3/a%2Bb%26c%3Dd%3Be"),
    ("a//b", "https://api.example.com/3/a//b"),
    ("日本/語", "https://api.example.com/3/%E6%97%A5%E6%9C%AC/%E8%AA%9E"),
  ])
  func `an endpoint's path segments are percent-encoded`(path: String, url: String) throws {
    #expect(try Parts(path: path).httpRequest().url.absoluteString == url)
  }

  @Test func `an endpoint's path segment may contain a slash`() throws {
    #expect(
      try Parts(segments: ["a/b", "c"]).httpRequest().url.absoluteString == "https://api.example.com/3/a%2Fb/c")
  }

  @Test func `an endpoint's query items are encoded, kept in order and appended to the base URL's`() throws {
    let items = [
      URLQueryItem(name: "q", value: "a+b & c=d #e ü%"), URLQueryItem(name: "a b", value: ""),
      URLQueryItem(name: "flag", value: nil), URLQueryItem(name: "q", value: "😀/?:@"),
    ]
    var parts = Parts(queryItems: items)
    let encoded = "q=a%2Bb%20%26%20c%3Dd%20%23e%20%C3%BC%25&a%20b=&flag&q=%F0%9F%98%80%2F%3F%3A%40"
    #expect(try parts.httpRequest().url.absoluteString == "https://api.example.com/3?\(encoded)")
    parts.base = "https://api.example.com/3?v=1%2B#part"
    #expect(try parts.httpRequest().url.absoluteString == "https://api.example.com/3?v=1%2B&\(encoded)")
  }

  @Test(arguments: ["", "/", "/3/", "?a=b"])
  func `an endpoint's path follows its base URL after exactly one slash`(suffix: String) throws {
    let url = try Parts(base: "http://host:8080\(suffix)", path: "x").httpRequest().url.absoluteString
    let root = suffix == "/3/" ? "http://host:8080/3/x" : "http://host:8080/x"
    #expect(url == (suffix == "?a=b" ? root + "?a=b" : root))
  }

  @Test(arguments: ["..", "a/../b", "./a", "a/."])
  func `an endpoint refuses dot segments`(path: String) {
    #expect(throws: FetchError.self) { try Parts(path: path).httpRequest() }
  }

  @Test(arguments: ["relative/path", "file:///etc", "http://"])
  func `an endpoint refuses a base URL that is not absolute`(base: String) {
    do throws(FetchError) {
      _ = try Parts(base: base, path: "x").httpRequest()
      Issue.record("the request was built")
    } catch {
      guard case .invalidRequest = error else {
        Issue.record("\(error)")
        return
      }
    }
  }

  @Test func `the error of an invalid endpoint hides the client's secret query items`() async {
    let client = FetchClient {
      $0.transport = StubTransport()
      $0.redactedQueryItems = ["mine"]
    }
    let secret = [URLQueryItem(name: "mine", value: "s3cret")]
    for parts in [
      Parts(base: "http://h/?mine=s3cret", queryItems: secret, fails: true),
      Parts(base: "http://h/?mine=s3cret", path: "..", queryItems: secret),
    ] {
      do throws(FetchError) {
        try await client.fetch(parts, .void)
        Issue.record("the fetch succeeded")
      } catch {
        #expect(error.description.contains("http://h/"))
        #expect(!"\(error) \(String(reflecting: error))".contains("s3cret"), "\(error)")
      }
    }
  }

  @Test func `an endpoint whose body cannot be encoded fails with the cause`() {
    do throws(FetchError) {
      _ = try Parts(fails: true).httpRequest()
      Issue.record("the request was built")
    } catch {
      guard case .requestBody(let cause, _) = error else {
        Issue.record("\(error)")
        return
      }
      #expect((cause as? CocoaError)?.code == .coderInvalidValue)
    }
  }
}
