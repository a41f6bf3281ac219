// Pairs the declared and the live objects of one kind, step by step (docs/design.md#pairing).
import { isNameless, namingFields, sharesNames } from '../../kinds/identity/identity.ts';
import type { Kind } from '../../kinds/kind.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Key } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import type { Naming } from '../types/naming.ts';
import type { AmbiguousPair, IsMarkedForDeletion, Meant, Pair } from '../types/pairing.ts';
import type { BaseObject } from './currentKeys.ts';
import { exactKey, type Named, Unclaimed } from './namedObjects.ts';
import * as fault from './pairFaults.ts';
import {
  byFollowing,
  byFormerMeaning,
  byFormerName,
  byLeftover,
  byMeaning,
  byMove,
  byName,
  byTemporaryName,
} from './pairSteps.ts';
import { byFormerPart, byLastPart, byWhole, inFormerForm, inOtherForm } from './partSteps.ts';
import type { PairingStage, Step } from './step.ts';
import { bySuccession } from './succession.ts';
import { UnmatchedObjects } from './unmatched.ts';

const SURE_STEPS = [
  byMeaning,
  byName,
  byTemporaryName,
  inOtherForm,
  byFormerName,
  byFormerMeaning,
  inFormerForm,
];
/**
 * The steps that find an object after a change. They are skipped for objects that are marked for
 * deletion. If no certain step finds such an object, it is absent.
 */
const CHANGED_STEPS = [
  byMove,
  byFollowing,
  bySuccession,
  byLeftover,
  byFormerPart,
  byWhole,
  byLastPart,
];

/** The inputs of a matching. */
interface Unmatched {
  readonly wanted: readonly Desired[];
  readonly named: readonly Named[];
  readonly former: readonly BaseObject[];
  readonly naming: Naming;
  readonly meant: Meant | undefined;
  readonly isMarkedForDeletion: IsMarkedForDeletion;
  readonly isSatisfied: (desired: Desired) => boolean;
  readonly followsMoves: boolean;
}

/** The declared and the live objects of one kind while they are paired. */
export class Matching {
  readonly pairs: Pair[] = [];
  readonly creates: Desired[] = [];
  readonly diagnostics: Diagnostic[] = [];
  readonly ambiguous: AmbiguousPair[] = [];
  /** Declarations that contain only the name of a reserved object. The object keeps its name and is never written. */
  readonly namesOnly = new Set<Desired>();
  readonly #kind: Kind;
  readonly #unclaimed: Unclaimed;
  readonly #waiting = new UnmatchedObjects();
  readonly #stage: PairingStage;
  readonly #isMarkedForDeletion: IsMarkedForDeletion;
  readonly #isSatisfied: (desired: Desired) => boolean;

  constructor(kind: Kind, { wanted, named, former, naming, meant, ...rules }: Unmatched) {
    this.#kind = kind;
    this.#unclaimed = new Unclaimed(kind, named);
    const formerIn = Map.groupBy(former, ({ object }) => object.parent);
    const formerParts = Map.groupBy(former, ({ object }) => object.part?.whole);
    const formerKeys = new Set(former.map(({ object }) => object.key));
    this.#stage = {
      kind,
      unclaimed: this.#unclaimed,
      waiting: this.#waiting,
      former,
      naming,
      meant,
      followsMoves: rules.followsMoves,
      formerIn: parent => formerIn.get(parent) ?? [],
      formerParts: whole => formerParts.get(whole) ?? [],
      isFormer: key => formerKeys.has(key),
    };
    this.#isMarkedForDeletion = rules.isMarkedForDeletion;
    this.#isSatisfied = rules.isSatisfied;
    const isTwice = sharesNames(kind) ? this.#twice() : () => false;
    for (const desired of wanted)
      if ((!desired.isNew && isTwice(desired)) || !this.#waiting.add(desired))
        this.diagnostics.push(fault.declaredTwice(desired));
  }

  // Whether an earlier declaration is for the same object, although its key has a different number
  // (`host#1`, `host#2`): the numbers depend only on the written texts. The value of a reference is
  // compared only with values that the account already has. Otherwise, somebody could declare
  // guesses of a secret and see which guess is correct.
  #twice(): (desired: Desired) => boolean {
    const known = new Map<Key, Set<string | undefined>>();
    return desired => {
      const exact = exactKey(this.#kind, desired);
      const [source] = desired.hidden?.written.values() ?? [];
      const sources = known.get(exact) ?? new Set();
      const isAlike = sources.has(source);
      const isOther = sources.size > 0 && this.#unclaimed.withExact(exact).length > 0;
      known.set(exact, sources.add(source));
      return isAlike || isOther;
    };
  }

  get left(): readonly Named[] {
    return this.#unclaimed.all();
  }

  run(): void {
    this.#makeNew();
    this.#bindIds();
    for (const step of SURE_STEPS) this.#take(step);
    for (const desired of this.#waiting.all()) {
      if (this.#isMarkedForDeletion(desired)) this.#waiting.delete(desired);
    }
    for (const step of CHANGED_STEPS) this.#take(step);
    for (const desired of this.#waiting.all()) this.#make(desired);
    for (const { desired } of this.pairs) this.#lookForNamesake(desired);
  }

  #take(step: Step): void {
    for (const desired of this.#waiting.all()) this.#settle(desired, step(desired, this.#stage));
  }

  #makeNew(): void {
    for (const desired of this.#waiting.all()) {
      if (!desired.isNew) continue;
      this.#waiting.delete(desired);
      this.#make(desired);
    }
  }

  #bindIds(): void {
    const bound = new Map<string, Desired>();
    for (const desired of this.#waiting.all()) {
      const { id } = desired.lifecycle;
      if (id === undefined) continue;
      const found = this.#unclaimed.withId(id);
      const other = bound.get(id);
      if (found) this.#settle(desired, [found]);
      else if (other) this.#refuse(desired, fault.boundTwice(desired, other));
      else this.#refuse(desired, fault.unknownId(desired, id));
      bound.set(id, desired);
    }
  }

  // Pairs the declared object with its only candidate. Several candidates, or only a reserved
  // candidate, are reported. If there are other candidates, reserved objects do not count, because
  // no file declares them.
  #settle(desired: Desired, found: readonly Named[]): void {
    const ours = found.filter(({ live }) => live.reserved === undefined);
    const first = ours[0] ?? found[0];
    if (first === undefined) return;
    if (ours.length > 1) {
      this.ambiguous.push({ desired, namesakes: ours.map(({ live }) => live) });
      this.#refuse(desired, fault.ambiguous(this.#kind, desired, ours));
    } else if (first.live.reserved !== undefined) {
      const isName = isNameOnly(this.#kind, desired);
      if (isName) this.namesOnly.add(desired);
      this.#refuse(
        desired,
        isName ? fault.reservedName(desired, first.live) : fault.reserved(desired, first.live),
      );
    } else {
      this.#waiting.delete(desired);
      this.#unclaimed.claim(first);
      this.pairs.push({ desired, live: first.live });
    }
  }

  #refuse(desired: Desired, diagnostic: Diagnostic): void {
    this.#waiting.delete(desired);
    this.diagnostics.push(diagnostic);
  }

  #make(desired: Desired): void {
    if (this.#isSatisfied(desired)) return;
    if (this.#kind.verbs.has('create')) this.creates.push(desired);
    else this.diagnostics.push(fault.notCreatable(this.#kind, desired));
  }

  #lookForNamesake(desired: Desired): void {
    const namesakes = isNameless(this.#kind) ? [] : byFormerName(desired, this.#stage);
    const isOurs = namesakes.some(({ live }) => live.reserved === undefined);
    if (isOurs) this.diagnostics.push(fault.wasIgnored(desired));
  }
}

// Whether a declaration contains only the name of an object. It states that the object exists, and changes nothing.
function isNameOnly(kind: Kind, { fields, lifecycle }: Desired): boolean {
  const naming = namingFields(kind);
  return (
    Object.keys(lifecycle).length === 0 && Object.keys(fields).every(name => naming.includes(name))
  );
}
