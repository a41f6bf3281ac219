// Which live object each declared one stands for (design law 4). Nothing is guessed.
import { canonicalFields } from '../kinds/canonical.ts';
import { isNameless } from '../kinds/identity.ts';
import type { Kind, KindTable } from '../kinds/kind.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { idKey } from '../model/key.ts';
import type { Address, Key } from '../model/names.ts';
import type { Desired, Live } from '../model/object.ts';
import { BaseNames, type Former } from './baseNames.ts';
import type { IsDoomed } from './doomed.ts';
import { longestGood } from './lapse.ts';
import { type Named, nameDesired, nameLive, Unclaimed } from './named.ts';
import { emptyNaming, type Naming } from './naming.ts';
import * as fault from './pairFaults.ts';
import {
  byFormerName,
  byLeftover,
  byMove,
  byName,
  byTemporaryName,
  type Step,
} from './pairSteps.ts';

/** A declared object and the live one it stands for. */
export interface Pair {
  readonly desired: Desired;
  readonly live: Live;
}

export interface Pairing {
  readonly pairs: readonly Pair[];
  /** Declared objects that are not there and are to be. */
  readonly creates: readonly Desired[];
  /** Pairs that are not part of the run: their objects stay as they are. */
  readonly bystanders: readonly Pair[];
  /** Live objects that nothing declared stands for, reserved ones included. */
  readonly unpaired: readonly Live[];
  readonly naming: Naming;
  /** What the base declared, by the address it has now. */
  readonly base: ReadonlyMap<Address, Desired>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Pairs all kinds, those that others' names are made of first. */
export function pairObjects(
  kinds: KindTable,
  desired: readonly Desired[],
  live: readonly Live[],
  base: readonly Desired[],
  { isDoomed, now }: { readonly isDoomed: IsDoomed; readonly now?: number | undefined },
): Pairing {
  const [desiredOf, liveOf, baseOf] = [byKind(desired), byKind(live), byKind(base)];
  const naming = emptyNaming();
  const baseNames = new BaseNames();
  const matchings = [...kinds.values()].map(kind => {
    const named = liveOf(kind).map(object => nameLive(kind, object, naming));
    const wanted = desiredOf(kind).map(object => nameDesired(kind, object, naming));
    const former = baseNames.translate(kind, baseOf(kind), naming);
    const isSatisfied = satisfaction(kind, kinds, liveOf);
    const matching = new Matching(kind, { wanted, named, former, isDoomed, isSatisfied, now });
    matching.run();
    nameAll(matching, wanted, naming);
    baseNames.settle(kind, former, wanted, named, naming);
    return matching;
  });
  return {
    pairs: matchings.flatMap(({ pairs }) => pairs),
    creates: matchings.flatMap(({ creates }) => creates),
    bystanders: [],
    unpaired: matchings.flatMap(({ left }) => left.map(named => named.live)),
    naming,
    base: baseNames.byAddress,
    diagnostics: matchings.flatMap(({ diagnostics }) => diagnostics),
  };
}

// Whether something else already is what a declared object would come to: of an invitation, the user.
function satisfaction(
  { satisfiedBy }: Kind,
  kinds: KindTable,
  liveOf: (kind: Kind) => readonly Live[],
): (desired: Desired) => boolean {
  const other = satisfiedBy && kinds.get(satisfiedBy.kind);
  if (!other) return () => false;
  const names = new Set(
    liveOf(other).map(
      ({ fields }) => canonicalFields(other.shape, fields, 'live')[satisfiedBy.field],
    ),
  );
  return ({ key }) => names.has(key);
}

const SURE_STEPS = [byName, byTemporaryName, byFormerName];
/** What an object turned into; what is to go and is not there turned into nothing. */
const CHANGED_STEPS = [byMove, byLeftover];

/** What a matching begins with. */
interface Unmatched {
  readonly wanted: readonly Desired[];
  readonly named: readonly Named[];
  readonly former: readonly Former[];
  readonly isDoomed: IsDoomed;
  readonly isSatisfied: (desired: Desired) => boolean;
  readonly now: number | undefined;
}

/** The declared and the live objects of one kind while they are brought together. */
class Matching {
  readonly pairs: Pair[] = [];
  readonly creates: Desired[] = [];
  readonly diagnostics: Diagnostic[] = [];
  readonly #kind: Kind;
  readonly #unclaimed: Unclaimed;
  readonly #waiting = new Map<Key, Desired>();
  readonly #former: readonly Former[];
  readonly #isDoomed: IsDoomed;
  readonly #isSatisfied: (desired: Desired) => boolean;
  readonly #now: number | undefined;

  constructor(kind: Kind, { wanted, named, former, ...rules }: Unmatched) {
    this.#kind = kind;
    this.#unclaimed = new Unclaimed(kind, named);
    this.#former = former;
    this.#isDoomed = rules.isDoomed;
    this.#isSatisfied = rules.isSatisfied;
    this.#now = rules.now;
    for (const desired of wanted) {
      if (this.#waiting.has(desired.key)) this.diagnostics.push(fault.declaredTwice(desired));
      else this.#waiting.set(desired.key, desired);
    }
  }

  get left(): readonly Named[] {
    return this.#unclaimed.all();
  }

  run(): void {
    this.#bindIds();
    for (const step of SURE_STEPS) this.#take(step, [...this.#waiting.values()]);
    for (const desired of [...this.#waiting.values()]) {
      if (this.#isDoomed(desired)) this.#waiting.delete(desired.key);
    }
    for (const step of CHANGED_STEPS) this.#take(step, [...this.#waiting.values()]);
    for (const desired of this.#waiting.values()) this.#make(desired);
    for (const { desired } of this.pairs) this.#lookForNamesake(desired);
  }

  #take(step: Step, waiting: readonly Desired[]): void {
    for (const desired of waiting) this.#settle(desired, step(desired, this.#scene()));
  }

  #scene() {
    const [kind, unclaimed, waiting, former] = [
      this.#kind,
      this.#unclaimed,
      this.#waiting,
      this.#former,
    ];
    return { kind, unclaimed, waiting, former };
  }

  #bindIds(): void {
    const bound = new Map<string, Desired>();
    for (const desired of [...this.#waiting.values()]) {
      const { id } = desired.lifecycle;
      if (id === undefined) continue;
      const [found, other] = [this.#unclaimed.withId(id), bound.get(id)];
      if (found) this.#settle(desired, [found]);
      else if (other) this.#refuse(desired, fault.boundTwice(desired, other));
      else this.#refuse(desired, fault.unknownId(desired, id));
      bound.set(id, desired);
    }
  }

  // Of several, the account's own ones do not count: they are never what a file declares.
  #settle(desired: Desired, found: readonly Named[]): void {
    const ours = found.filter(({ live }) => live.reserved === undefined);
    const isChosen = this.#kind.lapses !== undefined;
    const first = isChosen
      ? longestGood(this.#kind, found, this.#now)
      : ours.length > 0
        ? ours[0]
        : found[0];
    if (first === undefined) return;
    if (ours.length > 1 && !isChosen)
      this.#refuse(desired, fault.ambiguous(this.#kind, desired, ours));
    else if (first.live.reserved !== undefined) {
      this.#refuse(desired, fault.reserved(desired, first.live));
    } else {
      this.#waiting.delete(desired.key);
      this.#unclaimed.claim(first);
      this.pairs.push({ desired, live: first.live });
    }
  }

  #refuse(desired: Desired, diagnostic: Diagnostic): void {
    this.#waiting.delete(desired.key);
    this.diagnostics.push(diagnostic);
  }

  #make(desired: Desired): void {
    if (this.#isSatisfied(desired)) return;
    if (this.#kind.verbs.has('create')) this.creates.push(desired);
    else this.diagnostics.push(fault.notCreatable(this.#kind, desired));
  }

  #lookForNamesake(desired: Desired): void {
    const namesakes = isNameless(this.#kind) ? [] : byFormerName(desired, this.#scene());
    const isOurs = namesakes.some(({ live }) => live.reserved === undefined);
    if (isOurs) this.diagnostics.push(fault.wasIgnored(desired));
  }
}

// A name goes to the declared object's pair; what is left keeps its own name if that still tells it apart.
function nameAll({ pairs, left }: Matching, wanted: readonly Desired[], naming: Naming): void {
  const taken = new Set(wanted.map(({ key }) => key));
  const bearers = Map.groupBy(left, ({ key }) => key);
  for (const { desired, live } of pairs) naming.name(live, desired.key);
  for (const { live, key } of left) {
    const isTelling = key !== null && bearers.get(key)?.length === 1 && !taken.has(key);
    naming.name(live, isTelling ? key : idKey(live.id));
  }
}

function byKind<T extends { readonly kind: Kind['name'] }>(
  objects: readonly T[],
): (kind: Kind) => readonly T[] {
  const groups = Map.groupBy(objects, ({ kind }) => kind);
  return ({ name }) => groups.get(name) ?? [];
}
