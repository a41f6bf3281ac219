// Compares files with the account: which declaration corresponds to which live object, and which fields differ.

import isEqual from 'fast-deep-equal';
import { unresolvedNames } from '../../engine/missing/unresolved.ts';
import { pairObjects } from '../../engine/pairing/pairObjects.ts';
import { buildPlan } from '../../engine/plan/plan.ts';
import { markedForDeletion } from '../../engine/scope/markedForDeletion.ts';
import { inParts, isInSeveral } from '../../engine/scope/parts.ts';
import type { PlanInput } from '../../engine/scope/planInput.ts';
import type { Meant, Pair } from '../../engine/types/pairing.ts';
import type { PlanSettings } from '../../engine/types/settings.ts';
import { namingFields } from '../../kinds/identity/identity.ts';
import { providedLive } from '../../kinds/identity/provided.ts';
import type { KindTable } from '../../kinds/kind.ts';
import { keyedPath } from '../../kinds/values/items.ts';
import { addressOf } from '../../model/key.ts';
import type { KindName, RemoteId } from '../../model/names.ts';
import type { Desired, Live, Snapshot } from '../../model/object.ts';
import type { Plan } from '../../model/plan.ts';
import { isList, type Json, type Path } from '../../model/value.ts';
import { partsOf } from '../joinParts.ts';
import type { Exported } from '../model.ts';
import { type PendingRenames, pendingRenames } from './pendingRenames.ts';
import { formerRefs, type Renamed, renamedIn } from './renamed.ts';

/** The inputs of the comparison. */
export interface CompareInput {
  readonly kinds: KindTable;
  readonly desired: readonly Desired[];
  readonly snapshot: Snapshot;
  readonly folder: string;
  readonly dialect: PlanSettings['dialect'];
  readonly now: number;
  /** Whether an object in another parent counts as the same object; false if the files decide. */
  readonly followsMoves?: boolean;
  /** The live objects that names in files mean, for names that the account gives to another object or to none. */
  readonly meant?: Meant;
  /** Whether a live object is exported; all are if absent. */
  readonly isExported?: (object: Pick<Live, 'kind' | 'id'>) => boolean;
}

/** The result of the comparison. */
export interface Comparison {
  readonly plan: Plan;
  readonly pairs: readonly Pair[];
  /** The declaration of a live object. */
  readonly declared: (object: {
    readonly kind: KindName;
    readonly id: RemoteId;
  }) => Desired | undefined;
  /** Whether the account keeps a declared object in more than one part. */
  readonly isInSeveral: (desired: Desired) => boolean;
  /** The fields that differ, and the sets whose members are not all declared. */
  readonly differs: (object: Exported) => ReadonlySet<string>;
  /** The paths of the differences inside the fields; items of keyed lists by their keys. */
  readonly paths: (object: Exported) => readonly Path[];
  /** Declared objects that have another name in the account. */
  readonly renamed: Renamed;
  /** Declared objects that the files rename, and that have their former names in the account. */
  readonly pending: PendingRenames;
  /** Declarations without a live object. */
  readonly gone: readonly Desired[];
  /** The declarations whose name several live objects share, with these objects. */
  readonly ambiguous: readonly Ambiguous[];
}

/** A declaration that may mean several live objects. */
export interface Ambiguous {
  readonly desired: Desired;
  readonly namesakes: readonly RemoteId[];
}

/** Compares files with the account. */
export function compare(input: CompareInput): Comparison {
  const { kinds, desired, snapshot, dialect, isExported = () => true } = input;
  const planned = planInput(input);
  const plan = buildPlan(planned);
  const { pairs, isMarkedForDeletion } = pairedAsDeclared(input);
  const pending = pendingRenames(pairs, kinds);
  const isPending = ({ kind, id }: LiveName) => pending.declared.has(`${kind} ${id}`);
  const isNamed = (one: LiveName) => isExported(one) && !isPending(one);
  const renamed = renamedIn(pairs, snapshot.objects, kinds, isNamed);
  const byLive = declarationsByLive(pairs, input);
  const declared: Comparison['declared'] = ({ kind, id }) => byLive.get(`${kind} ${id}`);
  const isInParts = (object: Desired) => isInSeveral(object, kinds, dialect);
  const paths = differingPaths(plan, { kinds, declared, renamed, isPending });
  const found = foundDeclarations(pairs, desired);
  return {
    plan,
    pairs,
    declared,
    isInSeveral: isInParts,
    paths,
    differs: differingNames(plan, { declared, paths, isInParts }),
    renamed,
    pending,
    gone: desired.filter(object => !found.has(object.at) && !isMarkedForDeletion(object)),
    ambiguous: ambiguousIn(planned),
  };
}

type LiveName = Pick<Live, 'kind' | 'id'>;

function planInput({
  kinds,
  desired,
  snapshot,
  folder,
  dialect,
  now,
  meant,
}: CompareInput): PlanInput {
  const settings: PlanSettings = { dialect, now, prune: 'none', allow: [], thresholds: {} };
  return { kinds, desired, base: [], snapshot, settings, folder, meant };
}

/** Declared and live objects, paired by the files alone. */
function pairedAsDeclared(input: CompareInput) {
  const { kinds, desired, snapshot, dialect, now, followsMoves = true, meant } = input;
  const kept = inParts(desired, kinds, dialect);
  const isMarkedForDeletion = markedForDeletion(kept, kinds);
  const rules = { isMarkedForDeletion, now, followsMoves, meant };
  const { pairs } = pairObjects({ kinds, desired: kept, live: snapshot.objects, base: [] }, rules);
  return { pairs, isMarkedForDeletion };
}

/** The declarations of live objects as they are written, not split into parts, by kind and id. */
function declarationsByLive(
  pairs: readonly Pair[],
  input: CompareInput,
): ReadonlyMap<string, Desired> {
  const written = new Map(input.desired.map(object => [object.at, object]));
  const byLive = new Map(
    pairs.map(pair => [
      `${pair.live.kind} ${pair.live.id}`,
      pair.desired.part ? (written.get(pair.desired.at) ?? pair.desired) : pair.desired,
    ]),
  );
  for (const object of input.desired) {
    const live = providedFor(object, input);
    if (live) byLive.set(`${live.kind} ${live.id}`, object);
  }
  return byLive;
}

const foundDeclarations = (pairs: readonly Pair[], desired: readonly Desired[]) =>
  new Set([
    ...pairs.map(pair => pair.desired.at),
    // A declared object that another system has yet to create does not count as gone.
    ...desired.filter(({ isProvided }) => isProvided).map(({ at }) => at),
  ]);

interface Names extends Pick<Comparison, 'declared' | 'renamed'> {
  readonly kinds: KindTable;
  /** Whether the files rename a live object. */
  readonly isPending: (object: LiveName) => boolean;
}

function differingPaths(
  { changes }: Plan,
  { kinds, declared, renamed, isPending }: Names,
): Comparison['paths'] {
  const changed = new Map(
    changes.map(({ kind, id, fields }) => [`${kind} ${id}`, fields.map(({ path }) => path)]),
  );
  return object => {
    const own = declaredOf(object, declared);
    const inParts = partsOf(object).flatMap(({ kind, id }) => {
      const names = isPending({ kind: kind.name, id }) ? namingFields(kind) : [];
      const own = changed.get(`${kind.name} ${id}`) ?? [];
      return own.filter(([name = '']) => !names.includes(name));
    });
    const refs = own ? formerRefs(own, renamed, kinds) : [];
    return [...inParts, ...refs.map(({ path }) => keyedPath(object.kind.shape, own?.fields, path))];
  };
}

interface Differing extends Pick<Comparison, 'declared' | 'paths'> {
  readonly isInParts: Comparison['isInSeveral'];
}

function differingNames(
  { changes }: Plan,
  { declared, paths, isInParts }: Differing,
): Comparison['differs'] {
  const incomplete = new Set(changes.flatMap(({ type, at }) => (type === 'create' && at) || []));
  return object => {
    const own = declaredOf(object, declared);
    const names = paths(object).map(([name = '']) => name);
    if (own && (object.joined || isInParts(own)))
      return differsInParts(object, own, {
        names,
        declared,
        isIncomplete: incomplete.has(own.at),
      });
    return new Set([...names, ...(own ? partlyDeclared(object, own) : [])]);
  };
}

// The live object of a declaration whose object another system creates.
function providedFor(
  object: Desired,
  { kinds, snapshot }: Pick<CompareInput, 'kinds' | 'snapshot'>,
): Live | undefined {
  const kind = kinds.get(object.kind);
  if (!kind || !object.isProvided) return undefined;
  return snapshot.objects.find(
    live =>
      live.kind === object.kind &&
      live.key === object.key &&
      providedLive(kind, live) !== undefined,
  );
}

function ambiguousIn(input: PlanInput): Ambiguous[] {
  const { names } = unresolvedNames(input);
  const bearers = new Map(names.map(one => [addressOf(one.kind, one.key), one.namesakes]));
  return input.desired.flatMap(desired => {
    const namesakes = bearers.get(addressOf(desired.kind, desired.key)) ?? [];
    return namesakes.length > 1 ? [{ desired, namesakes }] : [];
  });
}

/** The declaration of an exported object, or of one of its parts. */
export function declaredOf(
  object: Exported,
  declared: Comparison['declared'],
): Desired | undefined {
  return partsOf(object)
    .map(({ kind, id }) => declared({ kind: kind.name, id }))
    .find(found => found !== undefined);
}

interface InParts extends Pick<Comparison, 'declared'> {
  /** The differing fields of the parts of an object, and the fields that refer to renamed objects. */
  readonly names: readonly string[];
  /** Whether a declared part is absent. */
  readonly isIncomplete: boolean;
}

// Compares a declaration with the parts in which the account keeps its object. The names of parts are not compared; a missing or
// new part is a missing or new item.
function differsInParts(
  object: Exported,
  own: Desired,
  { names, declared, isIncomplete }: InParts,
): ReadonlySet<string> {
  const { parts } = object.kind;
  const found = new Set(names);
  const isNew = partsOf(object).some(({ kind, id }) => !declared({ kind: kind.name, id }));
  const [name = ''] = namingFields(object.kind);
  found.delete(name);
  if (object.name !== own.key) found.add(name);
  if (parts && (isIncomplete || isNew)) found.add(parts.list);
  return found;
}

// Members that others added make no difference to a plan, but an export writes them.
function partlyDeclared({ kind, fields }: Exported, { fields: own }: Desired): string[] {
  return [...kind.shape.fields.values()].flatMap(({ name, shared }) => {
    const written = own[name];
    const held = fields[name];
    return shared && isList(written) && !isEqual(sorted(written), sorted(held)) ? [name] : [];
  });
}

const sorted = (members: Json | undefined): string[] =>
  (isList(members) ? members : []).map(member => JSON.stringify(member)).sort();
