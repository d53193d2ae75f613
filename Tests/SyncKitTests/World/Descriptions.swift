import Persistence
import SyncKit

// Short forms, for traces that people read.

extension SyncValue: CustomStringConvertible {
  package var description: String {
    switch self {
    case .plain(.text(let text)): text
    case .plain(.null): "-"
    case .plain(let value): "\(value)"
    case .object(let id): "@\(id)"
    case .key(let key): "#\(key)"
    case .list(let list): "[" + list.members.map { "\($0)" }.joined(separator: " ") + "]"
    }
  }
}

extension Fields: CustomStringConvertible {
  package var description: String { "(" + values.map { $0.map { "\($0)" } ?? "_" }.joined(separator: " ") + ")" }
}

extension RowID: CustomStringConvertible {
  package var description: String { "\(entity)@\(id)" }
}

extension RemoteName: CustomStringConvertible {
  package var description: String { "\(entity)#\(key)" }
}

extension SyncRow: CustomStringConvertible {
  package var description: String {
    "\(id)\(key.map { "#\($0)" } ?? "") now \(now.map { "\($0)" } ?? "deleted") base \(base)"
      + (sent.map { " sent \($0.kind) \($0.fields) in \($0.push)" } ?? "") + (hold.map { " hold \($0)" } ?? "")
      + (isOwed ? " owed" : "") + (version.map { " \($0)" } ?? "")
  }
}

extension RemoteVersion: CustomStringConvertible {
  package var description: String {
    switch self {
    case .ordered(let version): "v\(version)"
    case .opaque(let tag): "\"\(tag)\""
    }
  }
}

extension RemoteRow: CustomStringConvertible {
  package var description: String { "\(name)\(fields)" + (version.map { " \($0)" } ?? "") }
}

extension PushRequest.Change: CustomStringConvertible {
  package var description: String {
    "\(kind) \(row)\(key.map { "#\($0)" } ?? "") \(fields)" + (version.map { " \($0)" } ?? "")
  }
}
