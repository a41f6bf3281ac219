// The reading order of a plan: objects by kind and key.
import type { KindTable } from '../../kinds/kind.ts';
import type { Key, KindName } from '../../model/names.ts';
import { compareTexts } from '../../model/text/compareTexts.ts';

interface Addressed {
  readonly kind: KindName;
  readonly key: Key;
}

/** Compares objects by kind, as the kind table lists them, and by key. */
export function byKindAndKey(kinds: KindTable): (a: Addressed, b: Addressed) => number {
  const order = new Map([...kinds.keys()].map((name, i) => [name, i]));
  const position = ({ kind }: Addressed) => order.get(kind) ?? 0;
  return (a, b) => position(a) - position(b) || compareTexts(a.key, b.key);
}
