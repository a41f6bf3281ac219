// Names that resolve to another target after a plan. Everybody who uses such a name then reaches
// something else, although no policy changes.
import type { Kind } from '../../kinds/kind.ts';
import { domainText } from '../../kinds/values/domain.ts';
import type { Change } from '../../model/change.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { addressOf, segmentsOf } from '../../model/key.ts';
import type { Key } from '../../model/names.ts';
import { nameText, quoted } from '../../model/text/visible.ts';
import { isList } from '../../model/value.ts';
import type { AccountState } from '../types/accountState.ts';
import type { DraftPlan } from './draftPlan.ts';

/** Notes for names that resolve to another target, each with the old target, the new target and the affected users. */
export function movedNames({
  changes,
  after,
  context,
}: Pick<DraftPlan, 'changes' | 'after' | 'context'>): Diagnostic[] {
  const redirecting = changes
    .map(({ change }) => ({ change, kind: context.kind(change.kind) }))
    .filter(({ kind }) => kind.redirects !== undefined);
  const moves = redirecting.flatMap(({ change, kind }) => movesOf(change, kind));
  // The comparison of names ignores case.
  const byName = Map.groupBy(moves, ({ parent, name }) => `${parent} ${domainText(name)}`);
  return [...byName.values()].flatMap(found => {
    const [first] = found;
    const from = targets(found, 'from');
    const to = targets(found, 'to');
    if (!first || from.length === 0 || to.length === 0 || areSame(from, to)) return [];
    const { at } = found.find(({ change }) => change.at !== undefined)?.change ?? {};
    const whom = first.kind.redirects ? whomOf(first, after) : '';
    const message = `${quoted(first.name)} leads to ${to.join(' and ')} instead of ${from.join(' and ')}${whom}`;
    return [{ code: 'NAME_MOVES' as const, severity: 'note' as const, message, ...(at && { at }) }];
  });
}

/** A name, and its target before or after a change. */
interface Move {
  readonly change: Change;
  readonly kind: Kind;
  readonly parent: string;
  readonly name: string;
  readonly from?: string;
  readonly to?: string;
}

// The names that a change affects. A rename moves the target from one name to another.
function movesOf(change: Change, kind: Kind): readonly Move[] {
  const { name = '', to = '' } = kind.redirects ?? {};
  const [parent = ''] = segmentsOf(change.key, kind.depth) ?? [];
  const side = (fields: Change['before'], which: 'from' | 'to'): Move[] => {
    const text = fields?.[name];
    return typeof text === 'string'
      ? [{ change, kind, parent, name: text, [which]: String(fields?.[to]) }]
      : [];
  };
  return [...side(change.before, 'from'), ...side(change.after, 'to')];
}

const targets = (moves: readonly Move[], which: 'from' | 'to'): readonly string[] =>
  [...new Set(moves.flatMap(move => move[which] ?? []))].sort().map(nameText);

const areSame = (some: readonly string[], others: readonly string[]): boolean =>
  new Set(some.map(domainText)).symmetricDifference(new Set(others.map(domainText))).size === 0;

function whomOf({ kind, parent }: Move, { objects }: AccountState): string {
  const { for: field = '' } = kind.redirects ?? {};
  const home = kind.parent && objects.get(addressOf(kind.parent, parent as Key));
  const whom = home?.fields[field];
  return isList(whom) && whom.length > 0
    ? `, for ${whom.map(String).map(nameText).join(', ')}`
    : '';
}
