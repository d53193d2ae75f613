/// What to make of the head of a response, given what was asked for: a table, in code.
///
/// | asked for | answer                                                       | decision               |
/// |-----------|--------------------------------------------------------------|------------------------|
/// | all       | 200, 203                                                     | from the start         |
/// | all       | any other                                                    | fails                  |
/// | the rest  | 206 with the right `Content-Range`, total and validator       | goes on                |
/// | the rest  | 206 that is `multipart/byteranges`, compressed or other       | asks again, for all    |
/// | the rest  | 200, 203                                                     | from the start         |
/// | the rest  | 416                                                          | asks again, for all    |
/// | the rest  | any other                                                    | fails                  |
enum ResumeDecision: Equatable {
  /// The body goes on where the part ends, up to that byte.
  case goOn(end: Int64, total: Int64?)
  /// The body is the file from its beginning.
  case fromStart(total: Int64?, validator: Validator?)
  /// The body is of no use; the whole file is to be asked for.
  case askAgain
  case fail(DownloadFailure)

  /// What was received before, when a request asks for the rest only.
  struct Resumption: Equatable {
    var offset: Int64
    var total: Int64?
    var validator: Validator
  }

  init(status: Int, headers: HTTPHeaders, resuming: Resumption?) {
    switch (status, resuming) {
    case (200, _), (203, _):
      let isEncoded = Self.isEncoded(headers)
      self = .fromStart(
        total: isEncoded ? nil : Self.length(headers), validator: isEncoded ? nil : Validator(headers))
    case (206, let resuming?): self = Self.partial(headers, resuming)
    case (416, _?): self = .askAgain
    case (206, nil): self = .fail(.response(reason: "a part came where the whole was asked for"))
    default: self = .fail(.status(status))
    }
  }

  private static func partial(_ headers: HTTPHeaders, _ resuming: Resumption) -> ResumeDecision {
    guard let range = headers["Content-Range"].flatMap(ContentRange.init), range.first == resuming.offset,
      !isEncoded(headers), !isMultipart(headers), !resuming.validator.isContradicted(by: headers)
    else { return .askAgain }
    if let total = range.total, let known = resuming.total, total != known { return .askAgain }
    let total = resuming.total ?? range.total
    if let total, range.last >= total { return .askAgain }
    return .goOn(end: range.last + 1, total: total)
  }

  /// Compression was not asked for; offsets into what is compressed on the way mean nothing.
  private static func isEncoded(_ headers: HTTPHeaders) -> Bool {
    headers["Content-Encoding"].map { !$0.equalsIgnoringASCIICase("identity") } ?? false
  }

  /// Several parts come as one body with lines of its own in between, whatever the head says of a range.
  private static func isMultipart(_ headers: HTTPHeaders) -> Bool {
    headers["Content-Type"].map { $0.lowercased().hasPrefix("multipart/byteranges") } ?? false
  }

  private static func length(_ headers: HTTPHeaders) -> Int64? {
    guard headers["Transfer-Encoding"] == nil else { return nil }
    return headers["Content-Length"].flatMap { ContentRange.number($0) }
  }
}
