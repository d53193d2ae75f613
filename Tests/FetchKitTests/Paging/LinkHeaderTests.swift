import Foundation
import LarderTestSupport
import Testing

@testable import FetchKit

@Suite struct LinkHeaderTests {
  let base = URL(string: "https://api.example.com/items?page=1")!

  func next(_ fields: String...) -> String? {
    let headers = HTTPHeaders(fields.map { HTTPHeaders.Field(name: "link", value: $0) })
    return LinkHeader.target(of: "next", in: headers, at: base)?.absoluteString
  }

  @Test(arguments: [
    (
      #"<https://api.example.com/items?page=2>; rel="next", <https://api.example.com/items?page=9>; rel="last""#,
      "?page=2"
    ),
    (#"<https://api.example.com/items?page=9>; rel="last",<https://api.example.com/items?page=2>;rel=next"#, "?page=2"),
    (#"</items?page=2>; REL="prefetch NEXT""#, "?page=2"),
    (#"<?page=2>; title="a, \"b\"; rel=prev"; rel="next""#, "?page=2"),
    (#"<?page=a,b;c>; rel=next"#, "?page=a,b;c"),
    ("<?q=ü%2B&page=2>; rel=next", "?q=%C3%BC%2B&page=2"),
    (#" , ,<?page=2> ; rel = next ; type=text"#, "?page=2"),
    (#"<?page=2>; rel=next; rel=prev"#, "?page=2"),
    (#"<?page=7>; rel=prev; rel=next, <?page=2>; rel=next"#, "?page=2"),
    (#"<?page=7>; rel=next; anchor="/other", <?page=2>; rel=next"#, "?page=2"),
  ])
  func `the next page's URL is found in the Link header`(field: String, query: String) {
    #expect(next(field) == "https://api.example.com/items\(query)")
  }

  @Test(arguments: [
    "", "<", "<>", "<?page=2", "<?page=2>", "<?page=2>; rel", "<?page=2>; rel=", "<?page=2>; rel=\"",
    "?page=2; rel=next",
    "<?page=2>; rel=nextish", "<?page=2>; title=\"rel=next", "<?page=2> rel=next", ";;;,,,", "<?page=2>; rel=\"\\",
  ])
  func `a Link header without a usable next page gives no URL`(field: String) {
    #expect(next(field) == nil)
  }

  @Test func `several Link fields are read as one list`() {
    #expect(next("<?page=9>; rel=last", "<?page=2>; rel=next") == "https://api.example.com/items?page=2")
  }

  @Test func `the Link header parser accepts any bytes`() {
    var random = SplitMix.printed()
    let alphabet = Array("<>;,=\"\\ \trelnext?é")
    for _ in 0..<2_000 {
      let text = String(
        (0..<Int.random(in: 0...30, using: &random)).compactMap { _ in alphabet.randomElement(using: &random) })
      #expect(LinkHeader.parse(text).count <= text.count)
    }
  }
}
