import BenchmarkSupport
import Decoding
import Foundation

extension Benchmark {
  /// Photos from a stream of a gigabyte against the same decoder on a document that is there as a whole.
  static var streaming: Benchmark {
    let decoder = JSONBytesDecoder()
    let document = PhotoStream(byteCount: 64 << 20).whole
    return Benchmark(
      "streaming photos.photo of 1 GB in chunks of 64 KB", unit: "ms/100 MB",
      ours: {
        let stream = PhotoStream(byteCount: 1 << 30)
        return try await asyncMilliseconds { try await stream.read() } / Double(stream.byteCount) * 1e8
      },
      peers: [
        Peer("the whole document", must: 0.8, goal: 1) {
          try milliseconds {
            let page = try decoder.decode(StreamedPage.self, from: document)
            guard page.photos.photo.count > 100_000 else { throw WrongResult("photos are missing") }
          } / Double(document.count) * 1e8
        }
      ])
  }

  /// The most memory that a process which does nothing but that takes, beyond what it has before.
  static var streamingMemory: Benchmark {
    Benchmark("peak memory of streaming 1 GB", unit: "MB", must: 20, goal: nil) { try PhotoStream.peakMemoryOfChild() }
  }
}

/// The parts of a page that a stream reads too.
private struct StreamedPage: Decodable {
  var photos: Photos

  struct Photos: Decodable { var photo: [PhotoPage.Photo] }
}

/// A document of very many photos, made as it is read.
struct PhotoStream {
  static let childArgument = "--peak-memory-of-a-stream"

  /// Roughly how long the document is: it ends with the photo that goes beyond that.
  let byteCount: Int

  private static let head = Data(#"{"photos":{"page":1,"pages":1,"photo":["#.utf8)
  private static let tail = Data(#"]},"stat":"ok"}"#.utf8)

  /// The photos of one page, each followed by a comma.
  private static let photos: Data = {
    let page = Documents.photos
    guard let start = page.firstIndex(of: UInt8(ascii: "[")), let end = page.lastIndex(of: UInt8(ascii: "]")) else {
      return Data()
    }
    return page[(start + 1)..<end] + Data(",".utf8)
  }()

  private var pageCount: Int { byteCount / Self.photos.count + 1 }

  var whole: Data {
    var data = Self.head
    for _ in 0..<pageCount { data += Self.photos }
    data.removeLast()
    return data + Self.tail
  }

  /// Reads all photos.
  func read() async throws {
    var count = 0
    for try await photo in JSONElements(of: PhotoPage.Photo.self, in: Chunks(pageCount: pageCount), at: "photos.photo")
    {
      guard photo.farm == 66 else { throw WrongResult("a photo is not the one that was sent") }
      count += 1
    }
    guard count == pageCount * 250 else { throw WrongResult("\(count) photos instead of \(pageCount * 250)") }
  }

  /// Chunks of 64 KB, cut anywhere, without ever holding the document.
  private struct Chunks: AsyncSequence, AsyncIteratorProtocol {
    typealias Element = Data

    private var pending = PhotoStream.head
    private var pagesLeft: Int
    private var isEnded = false
    /// How much of the next page has been sent.
    private var offset = 0

    init(pageCount: Int) { pagesLeft = pageCount }

    func makeAsyncIterator() -> Chunks { self }

    mutating func next() async -> Data? {
      if isEnded { return nil }
      let photos = PhotoStream.photos
      while pending.count < 1 << 16, pagesLeft > 0 {
        // The last page has no comma behind it.
        let end = photos.endIndex - (pagesLeft == 1 ? 1 : 0)
        let start = photos.startIndex + offset
        let cut = Swift.min(end, start + (1 << 16) - pending.count)
        pending += photos[start..<cut]
        offset += cut - start
        if cut == end {
          offset = 0
          pagesLeft -= 1
        }
      }
      defer { pending = Data() }
      if pagesLeft == 0 {
        isEnded = true
        return pending + PhotoStream.tail
      }
      return pending
    }
  }

  // The memory is measured in a process of its own, since this one holds the other documents.

  static func runChild() async -> Never {
    do {
      // What the program has before it streams, with the generator's page: the runtime and Foundation.
      _ = photos
      let before = try memory("VmRSS")
      try await PhotoStream(byteCount: 1 << 30).read()
      print(try memory("VmHWM") - before)
      exit(0)
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(1)
    }
  }

  static func peakMemoryOfChild() throws -> Double {
    guard let program = Bundle.main.executableURL else { throw WrongResult("the program does not know its own file") }
    let child = Process()
    let output = Pipe()
    child.executableURL = program
    child.arguments = [childArgument]
    child.standardOutput = output
    try child.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    child.waitUntilExit()
    guard child.terminationStatus == 0, let peak = Double(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw WrongResult("the streaming child failed: \(text)")
    }
    return peak
  }

  /// The memory of this process in megabytes: `VmRSS` is what it has, `VmHWM` the most that it has had.
  private static func memory(_ name: String) throws -> Double {
    let status = try String(contentsOf: URL(filePath: "/proc/self/status"), encoding: .utf8)
    guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("\(name):") }),
      let kilobytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Double($0) })
    else { throw WrongResult("this system does not tell \(name)") }
    return kilobytes * 1024 / 1e6
  }
}
