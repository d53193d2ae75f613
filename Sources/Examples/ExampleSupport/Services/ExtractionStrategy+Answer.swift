import Decoding
public import FetchKit
import Foundation

extension ExtractionStrategy where Value: Decodable {
  /// The JSON of an answer. Where it is something else, it fails with what the service says of it, if it does: some
  /// send their errors with status 200.
  public static var answer: Self {
    Self { response in
      guard !response.body.isEmpty else { throw Failure("the server's answer is empty") }
      do {
        return try JSONDecoder().decode(Value.self, from: response.body, at: "$")
      } catch {
        guard let message = ServiceMessage.find(in: response.body) else { throw error }
        throw Failure("the service says: \(message)")
      }
    }
  }
}
