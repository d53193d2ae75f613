/// What to do with the head of a response, depending on what was requested:
///
/// | requested | response                                                     | decision               |
/// |-----------|--------------------------------------------------------------|------------------------|
/// | all       | 200, 203                                                     | from the start         |
/// | all       | any other                                                    | fails                  |
/// | the rest  | 206 with matching `Content-Range`, total and validator       | continues              |
/// | the rest  | 206 that is `multipart/byteranges`, compressed or different  | requests all           |
/// | the rest  | 200, 203                                                     | from the start         |
/// | the rest  | 416                                                          | requests all           |
/// | the rest  | any other                                                    | fails                  |
enum ResumeDecision: Equatable {
  /// The body continues at the end of the part, up to this byte offset.
  case continued(end: Int64, total: Int64?)
  /// The body is the file from its beginning.
  case fromStart(total: Int64?, validator: Validator?)
  /// The body is not usable; request the whole file.
  case requestAgain
  case fail(DownloadError)

  /// What was received before, if a request covers only the rest.
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
    case (416, _?): self = .requestAgain
    case (206, nil): self = .fail(.response(reason: "the server sent only part of the file"))
    default: self = .fail(.status(status))
    }
  }

  private static func partial(_ headers: HTTPHeaders, _ resuming: Resumption) -> ResumeDecision {
    guard let range = headers["Content-Range"].flatMap(ContentRange.init), range.first == resuming.offset,
      !isEncoded(headers), !isMultipart(headers), !resuming.validator.isContradicted(by: headers)
    else { return .requestAgain }
    if let total = range.total, let known = resuming.total, total != known { return .requestAgain }
    let total = resuming.total ?? range.total
    if let total, range.last >= total { return .requestAgain }
    return .continued(end: range.last + 1, total: total)
  }

  /// Compression was not requested, and offsets into a compressed body are meaningless.
  private static func isEncoded(_ headers: HTTPHeaders) -> Bool {
    headers["Content-Encoding"].map { !$0.equalsIgnoringASCIICase("identity") } ?? false
  }

  /// A multipart body contains boundary lines between its parts, regardless of the range that the head announces.
  private static func isMultipart(_ headers: HTTPHeaders) -> Bool {
    headers["Content-Type"].map { $0.lowercased().hasPrefix("multipart/byteranges") } ?? false
  }

  private static func length(_ headers: HTTPHeaders) -> Int64? {
    guard headers["Transfer-Encoding"] == nil else { return nil }
    return headers["Content-Length"].flatMap { ContentRange.number($0) }
  }
}
