/// A type that decodes by whatever calls the player in the decoder's `userInfo` makes.
struct Played: Decodable {
  let outcomes: [Outcome]

  init(from decoder: any Decoder) throws {
    guard let key = ContainerPlayer.key, let player = decoder.userInfo[key] as? ContainerPlayer else {
      throw PlayedError()
    }
    outcomes = try player.play(decoder)
  }
}

/// What a type throws of its own.
struct PlayedError: Error {}
