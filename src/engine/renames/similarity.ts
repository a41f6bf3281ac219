// The similarity of a new object and a live object: equal fields, equal children, and references that change from the live to the
// new object.
import { isNameless, namingFields } from '../../kinds/identity/identity.ts';
import type { Kind } from '../../kinds/kind.ts';
import type { KindName } from '../../model/names.ts';
import type { Desired, Live } from '../../model/object.ts';
import { parentKey } from '../pairing/naming.ts';
import type { ObjectChange } from '../types/objectChange.ts';
import type { PlanContext } from '../types/planContext.ts';
import { type Fact, factsOf } from './facts.ts';

/** A live object that may be the new object under its former name. */
export interface OldObject {
  readonly live: Live;
  /** Whether this run deletes the object; otherwise it stays. */
  readonly isDeleted: boolean;
  /** Whether a file marks the object for deletion. */
  readonly isDeclared: boolean;
}

/** A new object and a similar live object. */
export interface Similarity {
  readonly old: OldObject;
  readonly created: ObjectChange & { readonly desired: Desired };
  /** The shared facts. */
  readonly common: readonly Fact[];
}

/** If more objects than this share a fact, the fact identifies none of them. */
const MANY = 16;

/** Every similar pair of a new object and an object of `olds`. */
export function similarObjects(
  objects: readonly ObjectChange[],
  olds: readonly OldObject[],
  live: readonly Live[],
  context: PlanContext,
): Similarity[] {
  const facts = factsOf(objects, live, context);
  const candidates = new Set(olds.map(old => old.live));
  const oldOf = Map.groupBy(olds, ({ live: { kind } }): KindName => kind);
  const newOf = Map.groupBy(objects.filter(isCreated), ({ change: { kind } }) => kind);
  return [...newOf].flatMap(([name, news]) => {
    const kind = context.kind(name);
    const own = oldOf.get(name) ?? [];
    if (!isRenamable(kind) || own.length === 0) return [];
    const fresh = news.map(created => ({ created, facts: facts.ofNew(kind, created) }));
    const known = own.map(old => ({ old, facts: facts.ofLive(kind, old.live) }));
    const others = live.filter(one => one.kind === name && !candidates.has(one));
    const isDistinguishing = distinctive([
      ...fresh.map(one => one.facts),
      ...known.map(one => one.facts),
      ...others.map(one => facts.ofLive(kind, one)),
    ]);
    return alikeAmong(fresh, known, isDistinguishing).filter(one => isPossible(kind, one, context));
  });
}

const isCreated = (object: ObjectChange): object is ObjectChange & { readonly desired: Desired } =>
  object.change.type === 'create' && object.desired !== undefined;

/** Whether objects of the kind can be renamed. */
export function isRenamable(kind: Kind): boolean {
  const [part = '', ...more] = namingFields(kind);
  const isFixed = kind.shape.fields.get(part)?.immutable !== false;
  return more.length === 0 && !isNameless(kind) && !isFixed && kind.verbs.has('update');
}

function isPossible(kind: Kind, { old, created }: Similarity, { naming }: PlanContext): boolean {
  return (
    kind.parentChangeByDialect !== undefined ||
    parentKey(kind, old.live, naming) === created.desired.parent
  );
}

// Returns whether a fact is evidence. A single value that a third object also has, such as a
// description, is not.
function distinctive(all: readonly (readonly Fact[])[]): (fact: Fact) => boolean {
  const counts = new Map<string, number>();
  for (const { text, about } of all.flat())
    if (about === 'value') counts.set(text, (counts.get(text) ?? 0) + 1);
  return ({ text, about }) => about !== 'value' || (counts.get(text) ?? 0) <= 2;
}

interface NewWithFacts {
  readonly created: Similarity['created'];
  readonly facts: readonly Fact[];
}
interface OldWithFacts {
  readonly old: OldObject;
  readonly facts: readonly Fact[];
}

function alikeAmong(
  news: readonly NewWithFacts[],
  olds: readonly OldWithFacts[],
  isDistinguishing: (fact: Fact) => boolean,
): Similarity[] {
  const holders = new Map<string, OldWithFacts[]>();
  for (const old of olds)
    for (const { text } of old.facts.filter(isDistinguishing))
      holders.set(text, [...(holders.get(text) ?? []), old]);
  return news.flatMap(({ created, facts }) => {
    const distinguishing = facts.filter(isDistinguishing);
    const met = new Map<OldWithFacts, Fact[]>();
    for (const fact of distinguishing) {
      const found = holders.get(fact.text) ?? [];
      if (found.length > MANY) continue;
      for (const old of found) met.set(old, [...(met.get(old) ?? []), fact]);
    }
    return [...met]
      .filter(([old, common]) =>
        areAlike(distinguishing, old.facts.filter(isDistinguishing), common, old.old),
      )
      .map(([{ old }, common]) => ({ old, created, common }));
  });
}

/**
 * Whether two objects are similar. There are three cases. First, half of the references that the
 * old object loses, or half of those that the new object gains, move from the old object to the new
 * one. Second, half of the fields are equal: half of the fields of the smaller object if the old
 * object is deleted, because the new object may combine several old ones; half of the fields of the
 * larger object if the old object stays. Third, a name moved.
 */
function areAlike(
  fresh: readonly Fact[],
  known: readonly Fact[],
  common: readonly Fact[],
  { isDeleted }: OldObject,
): boolean {
  const pointers = partOf('pointer');
  const contents = partOf('contents');
  const size = isDeleted ? Math.min : Math.max;
  return (
    common.some(({ about }) => about === 'name') ||
    isHalf(pointers(common), Math.min(pointers(fresh), pointers(known))) ||
    isHalf(contents(common), size(contents(fresh), contents(known)))
  );
}

const partOf = (part: 'pointer' | 'contents') => (facts: readonly Fact[]) =>
  facts.filter(({ about }) => (about === 'pointer') === (part === 'pointer') && about !== 'name')
    .length;

const isHalf = (count: number, of: number): boolean => count > 0 && count >= of / 2;
