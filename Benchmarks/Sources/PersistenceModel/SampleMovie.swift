public import Persistence

/// What every movie has, however its columns are declared.
public protocol SampleMovie: ManagedObject {
  var title: String { get set }
  var popularity: Double? { get set }
  var remoteID: Int64 { get set }
  var overview: String { get set }
  var released: String { get set }
  var votes: Int64 { get set }
}
