// Finds ended members whose removal from a set may give access. An object of the account may
// withhold access from the members of the set, for example by checking the machines of some groups.
// Access is not evaluated with such objects, and the files may not declare them.
import { uncheckedAccess } from '../../access/gates/uncheckedAccess.ts';
import type { PlannedAccount } from '../../access/plan/comparison.ts';
import { ACCESS_KINDS } from '../../access/state/stateOfLive.ts';
import type { Kind, KindTable } from '../../kinds/kind.ts';
import { refsIn, refsOfShape } from '../../kinds/values/refs.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { present } from '../../model/errors.ts';
import { addressOf } from '../../model/key.ts';
import type { Key, KindName } from '../../model/names.ts';
import type { Live } from '../../model/object.ts';
import type { Plan, ShownAction } from '../../model/plan.ts';
import { visible } from '../../model/text/visible.ts';
import { writtenObject } from './endsOfPlan.ts';
import type { AccountForAccess } from './readForAccess.ts';

/** The actions that remove what has ended. */
interface Ends {
  readonly actions: readonly ShownAction[];
}

/**
 * The kinds whose objects withhold access from the members of objects that `ends` write. Empty if
 * there are no such actions, so that the lists of these kinds are not read.
 */
export function kindsNarrowedBy(kinds: KindTable, ends: Ends | undefined): ReadonlySet<KindName> {
  const written = new Set((ends?.actions ?? []).map(({ kind }) => kind));
  const narrowing = [...kinds.values()].filter(
    kind => !ACCESS_KINDS.has(kind.name) && throughIn(kind).some(name => written.has(name)),
  );
  return new Set(narrowing.map(({ name }) => name));
}

// The kinds of the objects whose members lose access through objects of this kind.
const throughIn = ({ narrows, shape }: Kind): readonly KindName[] =>
  (narrows?.through ?? []).flatMap(name => {
    const field = shape.fields.get(name);
    return field ? [...refsOfShape(field.shape)] : [];
  });

/**
 * The errors for removals that could give access in this way, and the addresses of the objects that
 * they write. A removal gives no access if the same object still checks the members through another
 * set, or if no access was withheld from them.
 */
export function narrowedByEnds(
  account: Omit<PlannedAccount, 'plan'>,
  ends: EndsAlone | undefined,
): { readonly diagnostics: readonly Diagnostic[]; readonly causes: readonly string[] } {
  const { kinds, live } = account;
  const narrowing = kindsNarrowedBy(kinds, ends);
  const objects = live.filter(one => narrowing.has(one.kind) && !isOff(kinds.get(one.kind), one));
  if (!ends || objects.length === 0) return { diagnostics: [], causes: [] };
  const byName = new Map(live.map(one => [addressOf(one.kind, one.key), one]));
  const written = new Map(ends.actions.map(one => [writtenObject(one), one.address]));
  const givenBy = uncheckedAccess({ ...account, plan: { changes: [], ...ends } });
  const found = objects.flatMap(object => {
    const checked = throughOf(present(kinds.get(object.kind), object.kind), object).flatMap(
      ref => byName.get(addressOf(ref.kind, ref.key as Key)) ?? [],
    );
    const giving = givenBy(new Set(checked.map(({ id }) => id)));
    return checked.flatMap(({ kind, id }) => {
      const cause = giving.has(id) ? written.get(`${kind} ${id}`) : undefined;
      return cause === undefined ? [] : [{ object, cause }];
    });
  });
  return { diagnostics: found.map(faultOf), causes: found.map(({ cause }) => cause) };
}

/** The removals of ended objects and members as a separate plan. */
type EndsAlone = Pick<Plan, 'actions' | 'pins'>;

// The objects through which an object withholds access.
const throughOf = ({ shape, narrows }: Kind, { fields }: Live) =>
  refsIn(shape, fields).filter(({ path }) => narrows?.through?.includes(path[0] ?? '') === true);

// Whether an object withholds nothing now, because a field is off with which it would begin to.
const isOff = (kind: Kind | undefined, { fields }: Live): boolean =>
  kind?.grants.some(({ field, when }) => when === 'turns-off' && fields[field] === false) === true;

function faultOf({ object, cause }: { readonly object: Live; readonly cause: string }): Diagnostic {
  const name = visible(addressOf(object.kind, object.key));
  const ended = visible(cause);
  return {
    code: 'END_GIVES_ACCESS',
    severity: 'error',
    message: `the end in ${ended} could give access: ${name}, which the account has, withholds access by ${ended}`,
    hint: `use another object instead of ${ended} in ${name}, or remove in the account what has ended`,
  };
}

/** Warnings about lists of these kinds that could not be read. A kind that the server does not offer has no objects. */
export function unreadNarrowing(
  narrowing: ReadonlySet<KindName>,
  { unavailable, notOffered }: Pick<AccountForAccess, 'unavailable' | 'notOffered'>,
): readonly Diagnostic[] {
  return [...narrowing].flatMap((kind): readonly Diagnostic[] => {
    const reason = unavailable.get(kind);
    if (reason === undefined || notOffered?.has(kind)) return [];
    const message = `it is unknown whether an end gives access, because ${kind} withholds access and could not be read: ${reason}`;
    const hint = 'use a token that may read this kind';
    return [{ code: 'KIND_UNAVAILABLE', severity: 'warning', message, hint }];
  });
}
