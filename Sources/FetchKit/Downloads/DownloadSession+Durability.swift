extension DownloadSession {
  /// What a power cut may undo. A process that is killed, or a program that crashes, loses nothing in either case.
  public enum Durability: Sendable, Hashable {
    /// Ends are told at once. Everything comes to the disk within ``Configuration/syncPeriod``; what a power cut undoes
    /// before that, of downloads whose end has not been acknowledged, the next session notices and fetches again. A
    /// file that was there before and is replaced is never lost.
    case periodic
    /// An end is told when the file, its name and the journal are on the disk. A small download takes many times as
    /// long. A disk that refuses the file or its name fails the download; where it refuses the journal only, the end is
    /// told after the attempt, and may be told again by another token after a power cut.
    case beforeEvent
  }
}
