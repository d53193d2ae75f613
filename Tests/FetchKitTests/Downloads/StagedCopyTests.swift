import Foundation
import Testing

@testable import FetchKit

/// Notes about copies on other volumes, and how the notes are used.
@Suite struct StagedCopyTests {
  let scratch: Scratch
  let files: SessionFiles

  init() throws {
    scratch = try Scratch()
    files = SessionFiles(identifier: "test", in: scratch.url)
    try DiskFolder.make(files.parts)
  }

  var note: URL { URL(filePath: files.parts).appending(path: "2.copy") }

  func folder(_ name: String) throws -> String {
    let path = scratch.url.appending(path: name).path
    try DiskFolder.make(path)
    return path
  }

  func copy(in folder: String) -> StagedCopy { StagedCopy(of: 2, in: folder, files, journal: "ab") }

  func noted() -> StagedCopy? { StagedCopy(note: "2.copy", files, journal: "ab") }

  @Test(arguments: ["plain", " sp ace ", "new\nline\r\n", "e\u{301}\u{e9}\u{1F4BE}", "a.copy", "%41"])
  func `the note about a staged copy is a separate file, whatever the folder is called`(name: String) throws {
    let copy = try copy(in: folder(name))
    try copy.announce()
    try Data("bytes".utf8).write(to: URL(filePath: copy.path))
    let type = try FileManager.default.attributesOfItem(atPath: note.path)[.type] as? FileAttributeType
    #expect(type == .typeRegular)
    let noted = try #require(self.noted())
    #expect(noted.path.utf8.elementsEqual(copy.path.utf8))
    noted.removeIfPossible()
    #expect(!DiskFolder.exists(copy.path))
    #expect(!DiskFolder.exists(note.path))
  }

  @Test func `a truncated note, or one about another copy, is ignored`() throws {
    let copy = try copy(in: folder("x"))
    try copy.announce()
    let whole = try Data(contentsOf: note)
    for length in 0..<whole.count {
      try whole.prefix(length).write(to: note)
      #expect(noted() == nil, "\(length) bytes")
    }
    for other in [Data(count: whole.count), whole + [0], Data([0xFF]) + whole, Data(repeating: 0x2F, count: 1 << 20)] {
      try other.write(to: note)
      #expect(noted() == nil)
    }
    try whole.write(to: note)
    #expect(noted() != nil)
    #expect(StagedCopy(note: "2.copy", files, journal: "cd") == nil)
    #expect(StagedCopy(note: "3.copy", files, journal: "ab") == nil)
  }

  @Test func `a staged copy on an absent volume is removed once the volume is back`() throws {
    let volume = try folder("volume")
    let copy = self.copy(in: volume)
    try copy.announce()
    try Data("bytes".utf8).write(to: URL(filePath: copy.path))
    try DiskFolder.rename(volume, to: volume + ".away")
    try #require(noted()).removeIfPossible()
    try DiskFolder.rename(volume + ".away", to: volume)
    try #require(noted()).removeIfPossible()
    #expect(!DiskFolder.exists(copy.path))
    #expect(!DiskFolder.exists(note.path))
  }

  @Test func `a staged copy from an earlier attempt is removed before another is noted`() throws {
    let first = try copy(in: folder("first"))
    try first.announce()
    try Data("bytes".utf8).write(to: URL(filePath: first.path))
    let second = try copy(in: folder("second"))
    try second.announce()
    #expect(!DiskFolder.exists(first.path))
    #expect(noted()?.path == second.path)
  }
}
