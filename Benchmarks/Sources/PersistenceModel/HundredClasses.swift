public import Persistence

/// What each of a hundred classes has.
public class Part: ManagedObject {
  @Attribute(.indexed) public final var name = ""
  @Attribute public final var rank: Int64 = 0
  @Attribute public final var weight: Double?
  @Attribute public final var notes = ""
}

public final class Part00: Part {}
public final class Part01: Part {}
public final class Part02: Part {}
public final class Part03: Part {}
public final class Part04: Part {}
public final class Part05: Part {}
public final class Part06: Part {}
public final class Part07: Part {}
public final class Part08: Part {}
public final class Part09: Part {}
public final class Part10: Part {}
public final class Part11: Part {}
public final class Part12: Part {}
public final class Part13: Part {}
public final class Part14: Part {}
public final class Part15: Part {}
public final class Part16: Part {}
public final class Part17: Part {}
public final class Part18: Part {}
public final class Part19: Part {}
public final class Part20: Part {}
public final class Part21: Part {}
public final class Part22: Part {}
public final class Part23: Part {}
public final class Part24: Part {}
public final class Part25: Part {}
public final class Part26: Part {}
public final class Part27: Part {}
public final class Part28: Part {}
public final class Part29: Part {}
public final class Part30: Part {}
public final class Part31: Part {}
public final class Part32: Part {}
public final class Part33: Part {}
public final class Part34: Part {}
public final class Part35: Part {}
public final class Part36: Part {}
public final class Part37: Part {}
public final class Part38: Part {}
public final class Part39: Part {}
public final class Part40: Part {}
public final class Part41: Part {}
public final class Part42: Part {}
public final class Part43: Part {}
public final class Part44: Part {}
public final class Part45: Part {}
public final class Part46: Part {}
public final class Part47: Part {}
public final class Part48: Part {}
public final class Part49: Part {}
public final class Part50: Part {}
public final class Part51: Part {}
public final class Part52: Part {}
public final class Part53: Part {}
public final class Part54: Part {}
public final class Part55: Part {}
public final class Part56: Part {}
public final class Part57: Part {}
public final class Part58: Part {}
public final class Part59: Part {}
public final class Part60: Part {}
public final class Part61: Part {}
public final class Part62: Part {}
public final class Part63: Part {}
public final class Part64: Part {}
public final class Part65: Part {}
public final class Part66: Part {}
public final class Part67: Part {}
public final class Part68: Part {}
public final class Part69: Part {}
public final class Part70: Part {}
public final class Part71: Part {}
public final class Part72: Part {}
public final class Part73: Part {}
public final class Part74: Part {}
public final class Part75: Part {}
public final class Part76: Part {}
public final class Part77: Part {}
public final class Part78: Part {}
public final class Part79: Part {}
public final class Part80: Part {}
public final class Part81: Part {}
public final class Part82: Part {}
public final class Part83: Part {}
public final class Part84: Part {}
public final class Part85: Part {}
public final class Part86: Part {}
public final class Part87: Part {}
public final class Part88: Part {}
public final class Part89: Part {}
public final class Part90: Part {}
public final class Part91: Part {}
public final class Part92: Part {}
public final class Part93: Part {}
public final class Part94: Part {}
public final class Part95: Part {}
public final class Part96: Part {}
public final class Part97: Part {}
public final class Part98: Part {}
public final class Part99: Part {}

extension Part {
  public static let classes: [Part.Type] = [
    Part00.self, Part01.self, Part02.self, Part03.self, Part04.self, Part05.self, Part06.self, Part07.self,
    Part08.self, Part09.self, Part10.self, Part11.self, Part12.self, Part13.self, Part14.self, Part15.self,
    Part16.self, Part17.self, Part18.self, Part19.self, Part20.self, Part21.self, Part22.self, Part23.self,
    Part24.self, Part25.self, Part26.self, Part27.self, Part28.self, Part29.self, Part30.self, Part31.self,
    Part32.self, Part33.self, Part34.self, Part35.self, Part36.self, Part37.self, Part38.self, Part39.self,
    Part40.self, Part41.self, Part42.self, Part43.self, Part44.self, Part45.self, Part46.self, Part47.self,
    Part48.self, Part49.self, Part50.self, Part51.self, Part52.self, Part53.self, Part54.self, Part55.self,
    Part56.self, Part57.self, Part58.self, Part59.self, Part60.self, Part61.self, Part62.self, Part63.self,
    Part64.self, Part65.self, Part66.self, Part67.self, Part68.self, Part69.self, Part70.self, Part71.self,
    Part72.self, Part73.self, Part74.self, Part75.self, Part76.self, Part77.self, Part78.self, Part79.self,
    Part80.self, Part81.self, Part82.self, Part83.self, Part84.self, Part85.self, Part86.self, Part87.self,
    Part88.self, Part89.self, Part90.self, Part91.self, Part92.self, Part93.self, Part94.self, Part95.self,
    Part96.self, Part97.self, Part98.self, Part99.self,
  ]
}
