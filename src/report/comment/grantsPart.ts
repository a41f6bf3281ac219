// New objects that open access or give rights, in sight of whoever reviews a plan: what opens most first, each with who gets to
// what, so that no number and no length of names hides what opens everything.
import type { KindTable } from '../../kinds/kind.ts';
import type { ShownChange } from '../../model/change.ts';
import type { Plan } from '../../model/plan.ts';
import { visible } from '../../model/text/visible.ts';
import { widestFirst } from '../plan/view/opening.ts';
import { shortLine } from '../plan/view/shortLine.ts';
import { moreText } from '../text/longList.ts';
import { bytesOf, clipped, listWithin } from './budget.ts';

const GRANTS = 20;
const GRANT_BYTES = 6_000;
/** A long name must leave room for who and what. */
const NAME_BYTES = 100;

/** The part; empty if the plan creates nothing that grants access or rights. */
export function grantsPart({ changes }: Plan, kinds: KindTable): readonly string[] {
  const granting = changes.filter(({ type, kind: name }) => {
    const kind = kinds.get(name);
    return (type === 'create' || type === 'replace') && kind?.line && !kind.grantsNothing;
  });
  if (granting.length === 0) return [];
  const shown = widestFirst(granting, kinds).slice(0, GRANTS);
  const more = granting.length - shown.length;
  const lines = [
    ...shown.map(change => grantLine(change, kinds)),
    ...(more > 0 ? [`# ${moreText(more)}`] : []),
  ];
  const order = granting.length > 1 ? ', what opens most first' : '';
  return ['', `**New access and rights: ${granting.length}${order}**`, '', listed(lines)];
}

const listed = (lines: readonly string[]): string => listWithin(lines, GRANT_BYTES);

/** The size of the part. */
export const grantBytes = (part: readonly string[]): number => bytesOf(part.join('\n'));

// Of a list of names, and of several items, the line has what opens most, and how many others there are.
function grantLine(change: ShownChange, kinds: KindTable): string {
  const kind = kinds.get(change.kind);
  const { clauses, items } = kind
    ? shortLine(kind, change.after ?? {}, { most: 1, kinds })
    : NOTHING;
  const [own = [], ...others] = items;
  const rest = others.length > 0 ? [moreText(others.length)] : [];
  const name = clipped(change.address, NAME_BYTES);
  return visible(`+ ${name}: ${[...own, ...clauses, ...rest].join('  ')}`);
}

const NOTHING = { clauses: [], items: [] };
