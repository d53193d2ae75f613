import FetchKit
import Foundation
import Testing

@Suite struct URLTextTests {
  @Test(arguments: [
    // Valid URLs remain unchanged.
    ("https://a.example/p?q=1", "https://a.example/p?q=1"), ("https://a.example", "https://a.example"),
    ("https://a.example/%5B%7C?ids%5B%5D=1%20", "https://a.example/%5B%7C?ids%5B%5D=1%20"),
    ("http://[::1]:81/x", "http://[::1]:81/x"), ("https://a.example/a+b?c+d", "https://a.example/a+b?c+d"),
    ("https://a.example/p?u=http://b/?x=1", "https://a.example/p?u=http://b/?x=1"),
    // What a URL must not contain is encoded, once.
    ("https://a.example/?ids[]=1&ids[]=2", "https://a.example/?ids%5B%5D=1&ids%5B%5D=2"),
    ("https://a.example?f[a]=1", "https://a.example?f%5Ba%5D=1"),
    ("https://a.example/a b/c[d]", "https://a.example/a%20b/c%5Bd%5D"),
    ("https://a.example/?q=a b|c^d`e{f}g", "https://a.example/?q=a%20b%7Cc%5Ed%60e%7Bf%7Dg"),
    ("https://a.example/?q=\"x\"<y>", "https://a.example/?q=%22x%22%3Cy%3E"),
    ("https://a.example/ü?q=é", "https://a.example/%C3%BC?q=%C3%A9"),
    ("https://a.example/%5Ba]?q=%20 %C3%A9é", "https://a.example/%5Ba%5D?q=%20%20%C3%A9%C3%A9"),
    ("https://a.example/100%?q=5%zz%4", "https://a.example/100%25?q=5%25zz%254"),
    ("https://a.example/?q=e\u{301}", "https://a.example/?q=e%CC%81"),
    // A fragment is not sent.
    ("https://a.example/a b#c[d]", "https://a.example/a%20b"),
    // As in the address bar of a browser.
    (" https://a.example/x\n", "https://a.example/x"), ("https://a.exa\nmple/\tx y", "https://a.example/x%20y"),
    ("https://a.example\\x\\y?q=\\", "https://a.example/x/y?q=%5C"),
    ("https://a.example\\@b.example/", "https://a.example/@b.example/"),
    ("https://a.example\\\u{301}@b.example/", "https://a.example/%CC%81@b.example/"),
    ("https://bücher.example/[1]", "https://xn--bcher-kva.example/%5B1%5D"),
  ])
  func `text is read as a browser reads a URL`(text: String, expected: String) throws {
    let url = try text.httpRequest().url
    #expect(url.absoluteString == expected)
    #expect(try url.absoluteString.httpRequest().url == url)
    #expect(url.host()?.contains("b.example") != true)
  }

  @Test(arguments: [
    "", " ", "a.example/x[1]", "/p?ids[]=1", "?q", "not a url", "https://a b/", "https://[::1/[]", "[]",
  ])
  func `text without a scheme or with an invalid host is refused`(text: String) {
    #expect(throws: FetchError.self) { try text.httpRequest() }
  }
}
