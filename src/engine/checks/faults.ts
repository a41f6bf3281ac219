// The faults that prevent a plan, other than those of pairing and of references.
import { overfullLists } from '../../kinds/dialect/dialects.ts';
import { refusedFieldsIn } from '../../kinds/dialect/refusedFields.ts';
import type { Kind, KindTable, ObjectShape } from '../../kinds/kind.ts';
import type { Dialect } from '../../kinds/traits.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { addressOf } from '../../model/key.ts';
import type { KindName } from '../../model/names.ts';
import type { Desired, Snapshot } from '../../model/object.ts';
import { pathName } from '../../model/text/pathName.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { quoted } from '../../model/text/visible.ts';
import { kindsOfCascades, neededKinds } from '../scope/readScope.ts';
import type { ObjectChange } from '../types/objectChange.ts';
import type { PlanContext } from '../types/planContext.ts';
import type { DraftPlan } from './draftPlan.ts';

/** An error if the files are for another account. */
export function otherAccount(
  wanted: string | undefined,
  { account }: Pick<Snapshot, 'account'>,
): Diagnostic[] {
  if (wanted === undefined || wanted === account) return [];
  const is = account === undefined ? 'an account that cannot be identified' : quoted(account);
  return [
    {
      code: 'ACCOUNT_DIFFERS',
      severity: 'error',
      message: `these files are for the account ${quoted(wanted)}, but the token belongs to ${is}`,
      hint: 'use a token of that account, or correct `account` in meshform.yaml',
    },
  ];
}

/**
 * Errors for kinds of the run that the account does not list. The objects of such a kind are
 * unknown, not absent (docs/design.md#barriers-before-the-first-write). If objects of the kind
 * would only be deleted with a parent, there is an error only if the plan contains such a delete.
 */
export function unavailable(
  draft: Pick<DraftPlan, 'run' | 'input' | 'changes' | 'context'>,
): Diagnostic[] {
  const { run, input } = draft;
  const { settings, snapshot, kinds } = input;
  return [...snapshot.unavailable].flatMap(([name, why]): Diagnostic[] => {
    const by = run.needed.get(name);
    const isOffered = !snapshot.notOffered?.has(name);
    // If the server does not have a kind, none of its objects can be lost. In that case, only
    // declarations of the kind are faults.
    const isNeeded = isOffered
      ? run.mentionedKinds.has(name) || takesAlong(name, draft)
      : by !== undefined;
    const isWatched = isOffered && settings.watch?.has(name) === true;
    if (!isNeeded && !isWatched && !(isOffered && run.needed.has(name))) return [];
    const kind = kinds.get(name);
    const what = kind ? pluralIn(kind, settings.dialect) : name;
    const at = by?.at;
    const spared = isNeeded ? '' : '; this run does not need them';
    return [
      {
        code: 'KIND_UNAVAILABLE',
        severity: isNeeded ? 'error' : isWatched ? 'warning' : 'note',
        message: `the server does not return its ${what}: ${why}${isWatched ? '' : spared}`,
        ...(at && { at }),
        ...(isNeeded && (!isOffered || by) && without(entriesNeeding(name, run.remaining, kinds))),
      },
    ];
  });
}

const takesAlong = (
  name: KindName,
  { changes, input, context }: Pick<DraftPlan, 'changes' | 'input' | 'context'>,
): boolean =>
  changes.some(
    ({ change: { type, kind } }) =>
      (type === 'delete' || type === 'replace') &&
      kindsOfCascades(input.kinds, context.kind(kind)).includes(name),
  );

function without(except: readonly string[]): Pick<Diagnostic, 'hint' | 'except'> {
  const flags = except.map(entry => `--except ${shellWord(entry)}`).join(' ');
  return { hint: `leave them out of the run with ${flags}, or remove them from the files`, except };
}

/**
 * The entries for `--except` if a run must leave out a kind: kinds that depend on it, and single
 * objects that refer to it.
 */
function entriesNeeding(
  name: KindName,
  objects: readonly Desired[],
  kinds: KindTable,
): readonly string[] {
  const entries = objects
    .filter(object => neededKinds(kinds, [object], [], 'none').has(name))
    .map(({ kind, key }) => {
      const refersOnly = kind !== name && kinds.get(kind)?.requires.includes(name) !== true;
      return refersOnly ? addressOf(kind, key) : `${kind}/*`;
    });
  return [...new Set(entries)];
}

// The plural of a kind. If the name of the kind is neutral, the name of the product is added.
function pluralIn({ plural, vendorByDialect }: Kind, dialect: Dialect): string {
  const vendor = vendorByDialect[dialect];
  return vendor === undefined ? plural : `${plural} (${vendor})`;
}

/**
 * Errors for objects that would have to be replaced although their kind does not allow it. The immutable field keeps its value.
 */
export function fixedFaults(
  objects: readonly ObjectChange[],
  { kind }: Pick<PlanContext, 'kind'>,
): Diagnostic[] {
  return objects.flatMap(({ change, desired }): Diagnostic[] => {
    const { replace, noun, verbs } = kind(change.kind);
    const isPossible = replace !== 'refuse' && verbs.has('create') && verbs.has('delete');
    if (change.type !== 'replace' || isPossible) return [];
    const names = change.fields.filter(field => field.replaces).map(({ path }) => pathName(path));
    return [
      {
        code: 'REPLACE_REFUSED',
        severity: 'error',
        message: `${quoted(names.join(', '))} of ${change.address} is immutable, and a ${noun} cannot be replaced`,
        ...(desired && { at: desired.at }),
        hint: 'declare its current value; to have a different object, declare it under another name',
      },
    ];
  });
}

/**
 * Errors for declarations that the server's dialect does not support: fields that it does not have,
 * and several entries in a list that stores only one entry.
 */
export function unsupported(
  desired: Desired,
  { kind, dialect }: Pick<PlanContext, 'kind'> & { readonly dialect: Dialect },
): Diagnostic[] {
  const { shape, noun } = kind(desired.kind);
  const refused = refusedFieldsIn(shape, desired.fields, dialect).map(
    ({ field, fault, hint }): Diagnostic => ({
      code: 'DIALECT_UNSUPPORTED',
      severity: 'error',
      message: `${quoted(field)} of ${addressOf(desired.kind, desired.key)} ${fault}`,
      at: desired.spans[`/${field}`] ?? desired.at,
      hint,
    }),
  );
  return [...refused, ...overfull(desired, shape, noun, dialect)];
}

function overfull(
  desired: Desired,
  shape: ObjectShape,
  noun: string,
  dialect: Dialect,
): Diagnostic[] {
  return overfullLists(shape, desired.fields, [dialect]).map(({ name, count }): Diagnostic => {
    return {
      code: 'DIALECT_UNSUPPORTED',
      severity: 'error',
      message: `${addressOf(desired.kind, desired.key)} has ${count} ${name}; this server supports one`,
      at: desired.spans[`/${name}/1`] ?? desired.at,
      hint: `declare each of them as a separate ${noun}`,
    };
  });
}
