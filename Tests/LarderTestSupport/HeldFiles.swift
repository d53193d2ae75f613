public import Foundation

/// What the kernel knows about this process and the files of a folder. Only Linux shows it.
public enum HeldFiles {
  /// The locks that this process holds on files of the folder, as in `POSIX READ store.db`. A lock of an open file
  /// description belongs to no process, so it counts in any case.
  public static func locks(in folder: URL) -> [String] {
    var names: [UInt64: String] = [:]
    for name in (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? [] {
      var status = stat()
      if stat(folder.appending(path: name).path, &status) == 0 { names[UInt64(status.st_ino)] = name }
    }
    let table = (try? String(contentsOfFile: "/proc/locks", encoding: .utf8)) ?? ""
    return table.split(separator: "\n").compactMap { line in
      // 1: POSIX  ADVISORY  READ 4711 fe:00:1234 128 128
      let words = line.split(separator: " ")
      guard words.count >= 6, words[1] != "->", [getpid(), -1].contains(Int32(words[4]) ?? 0),
        let inode = words[5].split(separator: ":").last.flatMap({ UInt64($0) }), let name = names[inode]
      else { return nil }
      return "\(words[1]) \(words[3]) \(name)"
    }
  }

  /// The files of the folder that this process has open, including removed ones.
  public static func open(in folder: URL) -> [String] {
    let links = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return links.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
      .filter { $0.hasPrefix(folder.path + "/") }
  }

  /// Whether the kernel says it: `/proc/locks` exists.
  public static var areKnown: Bool { FileManager.default.isReadableFile(atPath: "/proc/locks") }
}
