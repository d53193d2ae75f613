internal import Foundation

extension ExtractionStrategy where Value == String {
  /// A strategy that decodes the body as text, using the character set specified in `Content-Type`, or UTF-8 if
  /// `Content-Type` does not specify one.
  ///
  /// A UTF-8 byte order mark is not part of the text. The strategy throws a ``TextDecodingError`` if the character set
  /// is not supported or if the bytes are not valid text in that character set.
  public static var string: Self {
    Self { response in try text(of: response.body, charset: charset(in: response.headers["Content-Type"] ?? "")) }
  }

  private static func charset(in contentType: String) -> String {
    // Some servers send one of the two quotation marks only.
    let charset = HTTPFieldReader.parameters(of: contentType)["charset"]?.lowercased().filter { $0 != "\"" } ?? ""
    return charset.isEmpty ? "utf-8" : charset
  }

  private static func text(of body: Data, charset: String) throws -> String {
    let encoding: String.Encoding
    switch charset {
    case "utf-8", "utf8", "us-ascii", "ascii":
      // All ASCII text is valid UTF-8, and servers that declare ASCII often send more. The byte order mark is not part
      // of the text (https://encoding.spec.whatwg.org/#utf-8-decode).
      let bytes = body.starts(with: [0xEF, 0xBB, 0xBF]) ? body.dropFirst(3) : body
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw TextDecodingError.invalidBytes(charset: charset)
      }
      return text
    case "iso-8859-1", "latin1": encoding = .isoLatin1
    case "iso-8859-2", "latin2": encoding = .isoLatin2
    case "windows-1250": encoding = .windowsCP1250
    case "windows-1251": encoding = .windowsCP1251
    case "windows-1252": encoding = .windowsCP1252
    case "windows-1253": encoding = .windowsCP1253
    case "windows-1254": encoding = .windowsCP1254
    case "utf-16": encoding = .utf16
    case "utf-16be": encoding = .utf16BigEndian
    case "utf-16le": encoding = .utf16LittleEndian
    case "utf-32": encoding = .utf32
    case "euc-jp": encoding = .japaneseEUC
    case "shift_jis", "shift-jis": encoding = .shiftJIS
    case "iso-2022-jp": encoding = .iso2022JP
    default: throw TextDecodingError.unknownCharset(charset)
    }
    guard let text = String(data: body, encoding: encoding) else {
      throw TextDecodingError.invalidBytes(charset: charset)
    }
    return text
  }
}
