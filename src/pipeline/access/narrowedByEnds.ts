// Finds ended members whose removal would give access, because an object of the account takes access away from them: for example,
// a check that applies to the machines of some groups. Such objects are not part of the evaluation of access, and files may not
// declare them.
import { ACCESS_KINDS } from '../../access/state/stateOfLive.ts';
import type { Kind, KindTable } from '../../kinds/kind.ts';
import { refsIn, refsOfShape } from '../../kinds/values/refs.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { addressOf } from '../../model/key.ts';
import type { Key, KindName } from '../../model/names.ts';
import type { Live } from '../../model/object.ts';
import type { ShownAction } from '../../model/plan.ts';
import { visible } from '../../model/text/visible.ts';
import type { AccountForAccess } from './readForAccess.ts';

/** The actions that remove what has ended. */
interface Ends {
  readonly actions: readonly ShownAction[];
}

/**
 * The kinds whose objects take access away from the members of objects that `ends` write. Empty without such actions, so that the
 * lists of these kinds are not read.
 */
export function kindsNarrowedBy(kinds: KindTable, ends: Ends | undefined): ReadonlySet<KindName> {
  const written = new Set((ends?.actions ?? []).map(({ kind }) => kind));
  const narrowing = [...kinds.values()].filter(
    kind => !ACCESS_KINDS.has(kind.name) && throughIn(kind).some(name => written.has(name)),
  );
  return new Set(narrowing.map(({ name }) => name));
}

// The kinds of the objects whose members lose access by objects of this kind.
const throughIn = ({ narrows, shape }: Kind): readonly KindName[] =>
  (narrows?.through ?? []).flatMap(name => {
    const field = shape.fields.get(name);
    return field ? [...refsOfShape(field.shape)] : [];
  });

/** An account, read with all kinds from `kindsNarrowedBy`. */
interface ReadAccount {
  readonly kinds: KindTable;
  readonly live: readonly Live[];
}

/** The errors for removals that could give access in this way, and the addresses of the written objects. */
export function narrowedByEnds(
  { kinds, live }: ReadAccount,
  ends: Ends | undefined,
): { readonly diagnostics: readonly Diagnostic[]; readonly causes: readonly string[] } {
  const narrowing = kindsNarrowedBy(kinds, ends);
  if (narrowing.size === 0) return { diagnostics: [], causes: [] };
  const byName = new Map(live.map(one => [addressOf(one.kind, one.key), one]));
  const written = new Map((ends?.actions ?? []).flatMap(writtenObject));
  const found = live.flatMap(object => {
    const kind = narrowing.has(object.kind) ? kinds.get(object.kind) : undefined;
    if (!kind || isOff(kind, object)) return [];
    const through = refsIn(kind.shape, object.fields).filter(
      ({ path }) => kind.narrows?.through?.includes(path[0] ?? '') === true,
    );
    return through.flatMap(ref => {
      const named = byName.get(addressOf(ref.kind, ref.key as Key));
      const cause = written.get(`${ref.kind} ${named?.id ?? ''}`);
      return cause === undefined ? [] : [{ object, cause }];
    });
  });
  return { diagnostics: found.map(faultOf), causes: found.map(({ cause }) => cause) };
}

const writtenObject = (action: ShownAction): readonly (readonly [string, string])[] =>
  action.verb === 'create' ? [] : [[`${action.kind} ${action.remoteId}`, action.address]];

// Whether an object takes no access away now, because it is disabled by a field.
const isOff = ({ grants }: Kind, { fields }: Live): boolean =>
  grants.some(({ field, when }) => when === 'turns-off' && fields[field] === false);

function faultOf({ object, cause }: { readonly object: Live; readonly cause: string }): Diagnostic {
  const name = visible(addressOf(object.kind, object.key));
  const ended = visible(cause);
  return {
    code: 'END_GIVES_ACCESS',
    severity: 'error',
    message: `the end in ${ended} could give access: ${name}, which the account has, withholds access by ${ended}`,
    hint: `name another object than ${ended} in ${name}, or take out in the account what has ended`,
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
