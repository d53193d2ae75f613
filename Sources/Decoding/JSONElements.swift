public import Foundation

/// The elements of a JSON stream, decoded one at a time as the stream's bytes arrive.
///
/// ```swift
/// let photos = JSONElements(of: Photo.self, in: chunks, at: "photos.photo")
/// for try await photo in photos { … }
/// let events = JSONElements(of: Event.self, in: chunks, format: .lines)
/// for try await event in events { … }
/// ```
///
/// The stream arrives in chunks of `Data`, `[UInt8]` or other contiguous bytes. A chunk can end after any byte. Memory
/// use is limited to one chunk plus the largest element, regardless of the stream's length.
/// ``JSONElementOptions/maximumElementSize`` limits the size of an element. Each byte is read once to find the elements
/// and once more to decode them.
///
/// The stream is in UTF-8, with or without a byte order mark.
///
/// Iterating throws ``LocatedDecodingError`` or any error that the sequence of chunks throws. The path of a
/// ``LocatedDecodingError`` contains the index of the element, and the position of the error is relative to the
/// beginning of the stream. After an error, the stream ends. Elements are decoded in the caller's isolation.
public struct JSONElements<Element: Decodable, Base: AsyncSequence>: AsyncSequence
where Base.Element: ContiguousBytes {
  let base: Base
  let format: JSONStreamFormat
  let decoder: JSONBytesDecoder
  let options: JSONElementOptions

  /// Creates a sequence of the elements of one array in a document that arrives in chunks. The path specifies the
  /// array.
  ///
  /// - Parameters:
  ///   - type: The type of the elements.
  ///   - base: The chunks of the document.
  ///   - path: The path of the array or of its elements, such as `photos.photo` or `photos.photo[*]`.
  ///   - decoder: The decoder for the elements; its options are read when iteration begins.
  ///   - options: The maximum size of an element, and the maximum number of elements that can be dropped because they
  ///     cannot be decoded.
  public init(
    of type: Element.Type = Element.self, in base: Base, at path: JSONPath = .root,
    decoder: JSONBytesDecoder = JSONBytesDecoder(), options: JSONElementOptions = JSONElementOptions()
  ) {
    self.init(of: type, in: base, format: .array(at: path), decoder: decoder, options: options)
  }

  /// Creates a sequence of the elements of a stream in the given format.
  ///
  /// - Parameters:
  ///   - type: The type of the elements.
  ///   - base: The chunks of the stream.
  ///   - format: The format of the stream, which determines how its elements are separated.
  ///   - decoder: The decoder for the elements; its options are read when iteration begins.
  ///   - options: The maximum size of an element, and the maximum number of elements that can be dropped because they
  ///     cannot be decoded.
  public init(
    of type: Element.Type = Element.self, in base: Base, format: JSONStreamFormat,
    decoder: JSONBytesDecoder = JSONBytesDecoder(), options: JSONElementOptions = JSONElementOptions()
  ) {
    self.base = base
    self.format = format
    self.decoder = decoder
    self.options = options
  }

  /// Creates an iterator. No chunk is read before the first call to `next()`.
  public func makeAsyncIterator() -> Iterator {
    Iterator(
      base: base.makeAsyncIterator(),
      source: ElementSource(format: format, options: options, decoder: decoder))
  }

  /// An iterator that reads chunks only as they are needed for the next element.
  public struct Iterator: AsyncIteratorProtocol {
    @usableFromInline var base: Base.AsyncIterator
    @usableFromInline let source: ElementSource

    /// Returns the next element, or nil if there are no more elements. ``JSONElements`` describes the errors that this
    /// method throws.
    @inlinable
    public mutating func next() async throws -> Element? { try await next(isolation: nil) }

    /// Returns the next element, or nil if there are no more elements. ``JSONElements`` describes the errors that this
    /// method throws.
    // Inlinable because an unspecialized generic async function costs as much as decoding a small element.
    @inlinable
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
      while true {
        switch try source.next() {
        case .end: return nil
        case .element(let range):
          do throws(LocatedDecodingError) {
            return try source.decode(Element.self, range)
          } catch {
            try source.drop(error)
          }
        case .needsBytes:
          do {
            if let chunk = try await base.next(isolation: actor) {
              source.append(chunk)
            } else {
              source.finish()
            }
          } catch {
            source.stop()
            throw error
          }
        }
      }
    }
  }
}

extension JSONElements: Sendable where Base: Sendable {}
