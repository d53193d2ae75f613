import Decoding
public import FetchKit
import Foundation

extension ExtractionStrategy where Value: Decodable {
  /// Decodes the JSON of a response. If the response has a different form, the strategy fails with the service's own
  /// message, if there is one, because some services report errors with status 200.
  public static var answer: Self {
    Self { response in
      guard !response.body.isEmpty else { throw Failure("the server's response is empty") }
      do {
        return try JSONDecoder().decode(Value.self, from: response.body, at: "$")
      } catch {
        guard let message = ServiceMessage.find(in: response.body) else { throw error }
        throw Failure("the service says: \(message)")
      }
    }
  }
}
