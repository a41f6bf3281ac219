// New objects that open access or grant rights, visible to the reviewer of a plan. The objects that
// open most come first, each with its parties. So neither many objects nor long names can hide an
// object that opens everything.
import type { KindTable } from '../../kinds/kind.ts';
import { givesAccess } from '../../model/access/planAccess.ts';
import type { ShownChange } from '../../model/change.ts';
import type { Address } from '../../model/names.ts';
import type { Plan } from '../../model/plan.ts';
import { visible } from '../../model/text/visible.ts';
import { moreText } from '../text/longList.ts';
import { widestFirst } from '../view/opening.ts';
import { shortLine } from '../view/shortLine.ts';
import { clipped, listWithin } from './budget.ts';

const GRANTS = 20;
/** The size of a list. */
const GRANT_BYTES = 6_000;
/** The maximum size of a name: a long name must leave room for the parties of the access. */
const NAME_BYTES = 100;

/**
 * The part of a comment about grants; empty if the plan creates nothing that grants access or rights. Objects that grant nothing
 * to current machines are in a separate list: they grant access to future members.
 */
export function grantsPart(plan: Plan, kinds: KindTable): readonly string[] {
  const isGranting = grantingIn(plan);
  const fresh = plan.changes.filter(({ type, kind: name }) => {
    const kind = kinds.get(name);
    const isNew = type === 'create' || type === 'replace';
    return isNew && kind?.line && !kind.grantsNothing;
  });
  const [now = [], later = []] = [true, false].map(is =>
    fresh.filter(({ address }) => isGranting(address) === is),
  );
  return [
    ...grantList('New access and rights', now, kinds),
    ...grantList("New objects that change nobody's access today", later, kinds),
  ];
}

function grantList(
  title: string,
  granting: readonly ShownChange[],
  kinds: KindTable,
): readonly string[] {
  if (granting.length === 0) return [];
  const shown = widestFirst(granting, kinds).slice(0, GRANTS);
  const more = granting.length - shown.length;
  const lines = [
    ...shown.map(change => grantLine(change, kinds)),
    ...(more > 0 ? [`# ${moreText(more)}`] : []),
  ];
  const order = granting.length > 1 ? ', the widest access first' : '';
  return ['', `**${title}: ${granting.length}${order}**`, '', listed(lines)];
}

// Decides whether a new object grants access now. The result agrees with the line of counts above this part, if access was
// compared completely.
function grantingIn({ access }: Plan): (address: Address) => boolean {
  const isWhole = access?.unread.length === 0 && access.status !== 'new-account';
  if (access === undefined || !isWhole) return () => true;
  const gains = access.changes.filter(givesAccess);
  const rights = (access.rights ?? []).map(({ object }) => object);
  const granting = new Set([...gains.flatMap(({ causes }) => causes), ...rights]);
  return address => granting.has(address);
}

const listed = (lines: readonly string[]): string => listWithin(lines, GRANT_BYTES);

// A line about a new object. Of a list of names or of several items, the line shows those that open most, and the number of the
// others.
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
