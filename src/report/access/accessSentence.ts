// A sentence about changes of access, and the place of a destination in the account.
import type { Kind, KindTable } from '../../kinds/kind.ts';
import { partsOfAccessName } from '../../model/access/accessName.ts';
import type { AccessChangeEntry } from '../../model/access/planAccess.ts';
import { segmentsOf } from '../../model/key.ts';
import type { KindName } from '../../model/names.ts';

/** A change of access to one destination, or the same change for several destinations, or for several names. */
export interface AccessSentence {
  /**
   * The first change of the sentence. If the sentence is about several names, `‹network›` stands for them, and the machines are
   * those of all changes.
   */
  readonly change: AccessChangeEntry;
  /** `network_resource/office/wiki 10.0.0.1`, `2 network resources in office`, `2 network resources in ‹network› (20 networks)`. */
  readonly target: string;
  /** The destinations, such as `wiki 10.0.0.1`, or the names, if there are several; otherwise empty. */
  readonly destinations: readonly string[];
  /** The changes that the sentence describes. */
  readonly entries: readonly AccessChangeEntry[];
  /** The sentences that differ in a name only, in the order of `destinations`; empty if it is about one name. */
  readonly alike: readonly AccessSentence[];
}

/** The kind of a destination, and its names. */
interface DestinationPlace {
  readonly kind: Kind;
  /** Absent if objects of the kind have no parent. */
  readonly parent: string | undefined;
  readonly name: string;
}

/** The place of a destination; null for a destination that is not an object, such as `4 machines`. */
export function placeOf({ to }: AccessChangeEntry, kinds: KindTable): DestinationPlace | null {
  const parts = partsOfAccessName(to);
  const kind = parts && kinds.get(parts.type as KindName);
  const [name, parent] = (kind && segmentsOf(parts.key, kind.depth))?.toReversed() ?? [];
  return kind && name !== undefined ? { kind, parent, name } : null;
}
