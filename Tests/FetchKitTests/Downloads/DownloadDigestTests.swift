import FetchKit
import Testing

@Suite struct DownloadDigestTests {
  @Test func `a download digest is read from exactly 64 hexadecimal digits`() {
    let text = String(repeating: "0aF9", count: 16)
    #expect(DownloadDigest(hex: text)?.description == text.lowercased())
    #expect(DownloadDigest(hex: text)?.bytes.prefix(4) == [0x0A, 0xF9, 0x0A, 0xF9])
    #expect(DownloadDigest(hex: String(text.dropLast())) == nil)
    #expect(DownloadDigest(hex: String(text.dropLast()) + "g") == nil)
    #expect(DownloadDigest(hex: "") == nil)
    #expect(DownloadDigest(bytes: [1, 2, 3]) == nil)
  }
}
