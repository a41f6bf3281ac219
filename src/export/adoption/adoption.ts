// How files and an account correspond: matches and their reasons, ambiguities, and similar objects.
import isEqual from 'fast-deep-equal';
import { sealedLive } from '../../engine/plan/redaction.ts';
import {
  identityName,
  identityParts,
  isNameless,
  sharesNames,
} from '../../kinds/identity/identity.ts';
import type { Kind, KindTable } from '../../kinds/kind.ts';
import { canonicalFields } from '../../kinds/values/canonical.ts';
import { valueAt } from '../../kinds/values/items.ts';
import type { Adoption, Candidate, Confidence, Doubt } from '../../model/adoption.ts';
import { present } from '../../model/errors.ts';
import { addressOf } from '../../model/key.ts';
import type { Desired, Live } from '../../model/object.ts';
import { nearest } from '../../model/text/nearest.ts';
import type { Fields } from '../../model/value.ts';
import { type Title, titlesOf } from '../titles.ts';
import { type CompareInput, compare } from './compare.ts';

/** The matches, doubts and differences that a first apply of these files would have. */
export function adoptionOf(input: CompareInput): Adoption {
  const { kinds, snapshot } = input;
  const { pairs, plan, gone } = compare({ ...input, followsMoves: false });
  const changed = new Map(plan.changes.map(change => [`${change.kind} ${change.id}`, change]));
  const taken = new Set(pairs.map(({ live }) => live));
  const context: AdoptionContext = {
    kinds,
    titleOf: titlesOf(kinds, snapshot.objects, () => false),
    free: snapshot.objects.filter(live => !taken.has(live) && live.reserved === undefined),
    byId: new Map(snapshot.objects.map(live => [`${live.kind} ${live.id}`, live])),
  };
  const doubts = gone.flatMap(desired => doubtOf(desired, context) ?? []);
  const doubted = new Set(doubts.map(({ at }) => at));
  return {
    matches: pairs.map(({ desired, live }) => {
      const fields = changed.get(`${live.kind} ${live.id}`)?.fields ?? [];
      return {
        address: addressOf(desired.kind, desired.key),
        at: desired.at,
        id: live.id,
        by: confidence(kindOf(kinds, desired), desired, live),
        differs: [...new Set(fields.map(({ path }) => path[0] ?? ''))],
      };
    }),
    doubts,
    fresh: gone
      .filter(({ at }) => !doubted.has(at))
      .map(({ kind, key, at }) => ({ address: addressOf(kind, key), at })),
  };
}

interface AdoptionContext {
  readonly kinds: KindTable;
  readonly titleOf: (live: Live) => Title;
  /** Live objects without a declaration. */
  readonly free: readonly Live[];
  readonly byId: ReadonlyMap<string, Live>;
}

const kindOf = (kinds: KindTable, { kind }: Desired): Kind =>
  present(kinds.get(kind), `the kind ${kind}`);

function confidence(kind: Kind, { lifecycle, fields }: Desired, live: Live): Confidence {
  if (lifecycle.id !== undefined) return 'id';
  if (isNameless(kind) || kind.cardinality !== 'collection') return 'natural key';
  const name = identityName(kind, canonicalFields(kind.shape, live.fields, 'live'));
  const isSame = name === identityName(kind, canonicalFields(kind.shape, fields, 'desired'));
  return isSame || lifecycle.was === undefined ? 'name' : 'former name';
}

// The candidates for an unmatched declaration: objects of the same name, or if there are none, of a similar name or with similar
// fields.
function doubtOf(desired: Desired, context: AdoptionContext): Doubt | null {
  const kind = kindOf(context.kinds, desired);
  const own = context.free.filter(live => live.kind === kind.name);
  const beside = own.filter(live => isBeside(live, desired, context));
  const declared = canonicalFields(kind.shape, desired.fields, 'desired');
  const name = identityName(kind, declared);
  // A name that several objects may share proves nothing, because the rest of the identity did not match. An object that can move
  // to another parent is looked for in all parents.
  const namesakes = sharesNames(kind)
    ? []
    : (kind.parentChangeByDialect ? own : beside).filter(
        live => context.titleOf(live).name === name,
      );
  const alike = isNameless(kind)
    ? beside.filter(live => isAlike(kind, declared, heldBy(kind, live)))
    : nearestTo(name ?? '', beside, context);
  const found = namesakes.length > 0 ? namesakes : alike;
  if (found.length === 0) return null;
  return {
    address: addressOf(desired.kind, desired.key),
    kind: kind.name,
    at: desired.at,
    reason: namesakes.length > 1 ? 'ambiguous' : 'similar',
    candidates: candidates(kind, found, namesakes.length > 1 ? undefined : declared, context),
  };
}

function isBeside(
  live: Live,
  { kind, parent }: Desired,
  { kinds, titleOf, byId }: AdoptionContext,
): boolean {
  const outer = kinds.get(kind)?.parent;
  const home = outer && byId.get(`${outer} ${live.parentId}`);
  return parent === undefined || (home !== undefined && titleOf(home).name === parent);
}

const heldBy = ({ shape }: Kind, { fields }: Live): Fields =>
  canonicalFields(shape, fields, 'live');

// Whether all but one of the identifying fields are the same.
function isAlike(kind: Kind, one: Fields, other: Fields): boolean {
  const own = identityParts(kind, one);
  const its = identityParts(kind, other);
  return own.length > 1 && own.filter((part, i) => part !== its[i]).length === 1;
}

function nearestTo(name: string, beside: readonly Live[], { titleOf }: AdoptionContext): Live[] {
  const names = new Map(beside.map(live => [plain(titleOf(live).name), live]));
  const found = nearest(plain(name), names.keys());
  const live = found === undefined ? undefined : names.get(found);
  return live ? [live] : [];
}

// People write one name in several ways.
const plain = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ')
    .trim();

/** The largest number of fields of which all are listed. */
const TELLING = 4;

function candidates(
  kind: Kind,
  found: readonly Live[],
  declared: Fields | undefined,
  { titleOf }: AdoptionContext,
): Candidate[] {
  const held = found.map(live => heldBy(kind, live));
  const rivals = declared ? [declared, ...held] : held;
  const names = Object.keys(
    declared ?? Object.fromEntries(held.flatMap(one => Object.entries(one))),
  ).filter(name =>
    rivals.some(one => one[name] !== undefined && !isEqual(one[name], rivals[0]?.[name])),
  );
  return found
    .map((live, i) => {
      const seal = sealedLive({
        isSecretHost: () => live.hasSecretHost === true,
        isOpen: (path, value) => valueAt(kind.shape, declared, path) === value,
      });
      return {
        id: live.id,
        name: titleOf(live).name,
        tells: Object.fromEntries(
          names.slice(0, TELLING).flatMap(name => {
            const value = held[i]?.[name];
            if (value === undefined) return [];
            return [[name, seal(kind.shape.fields.get(name)?.shape, value, [name])] as const];
          }),
        ),
      };
    })
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}
