// The inputs of a plan, without ambiguous names and without the objects that somebody deleted or
// renamed in the account, so that these do not stop the rest of the plan. Objects that cannot be
// written without them are left out of the run and do not change.
import type { Kind, KindTable } from '../../kinds/kind.ts';
import type { ShownChange } from '../../model/change.ts';
import type { Diagnostic, Span } from '../../model/diagnostic.ts';
import { addressOf, idKey } from '../../model/key.ts';
import { fateText, type MissingObject } from '../../model/missingObjects.ts';
import type { Address } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import { exactPattern } from '../../model/objectName.ts';
import { pointer } from '../../model/text/pointer.ts';
import { nameText, quoted } from '../../model/text/visible.ts';
import { differingIn } from '../diff/comparedOnlyChanges.ts';
import type { PlanInput } from '../scope/planInput.ts';
import { selected } from '../scope/selection.ts';
import { type LostRef, repaired } from './repairedFields.ts';
import type { Unresolved } from './unresolved.ts';

/** A missing object that the files name. */
interface FoundMissing extends MissingObject {
  readonly address: Address;
  /** The first place that names the object. */
  readonly at: Span;
}

/** Inputs for which a plan can be computed, and the findings about what was left out. */
export interface WithoutMissing {
  readonly input: PlanInput;
  readonly missing: readonly FoundMissing[];
  /**
   * Returns the findings. They include changes that somebody made in the account to objects that
   * the run leaves out.
   */
  readonly findings: (changes: readonly ShownChange[]) => readonly Diagnostic[];
  /** The number of objects that the run leaves out. */
  readonly held: number;
}

/** The inputs without `missing`. */
export function withoutMissing(
  written: PlanInput,
  missing: readonly MissingObject[],
  { absent }: Pick<Unresolved, 'absent'>,
): WithoutMissing {
  const { kinds } = written;
  const search = new Search(kinds, missing, absent);
  const desired = search.repair(written.desired);
  const held = search.heldObjects();
  const found = search.found();
  const kept = found.filter(one => staysInFiles(one, kinds.get(one.kind)));
  const except = [...kept, ...found.flatMap(ambiguousOnes)].map(object =>
    exactPattern(object, kinds.get(object.kind)?.depth ?? 1),
  );
  const missingNow = [
    ...found.map(({ uses: _, ...one }) => one),
    ...held.flatMap(missingToo(absent)),
  ];
  return {
    input: {
      ...withoutHeld(written, held, except),
      desired,
      held: heldIn(written, held, missingNow),
    },
    missing: missingNow,
    findings: changes => [
      ...found.map(one =>
        one.isAmbiguous ? ambiguousFinding(one, kinds) : missingFinding(one, kinds.get(one.kind)),
      ),
      ...held.map(one => heldFinding(one, absent.has(one.address), { changes, kinds })),
    ],
    held: held.length + kept.length,
  };
}

// The run without the held objects, and without objects that match `except`.
function withoutHeld(
  { settings, ...input }: PlanInput,
  held: readonly Held[],
  except: readonly string[],
): PlanInput {
  const select = {
    ...settings.select,
    except: [...(settings.select?.except ?? []), ...except],
    held: new Set(held.map(({ address }) => address)),
  };
  return { ...input, settings: { ...settings, select } };
}

const heldIn = (
  { kinds, settings: { select = {} } }: PlanInput,
  held: readonly Held[],
  missing: readonly FoundMissing[],
) => ({ objects: held.map(({ object }) => object).filter(selected(select, kinds)), missing });

interface Held {
  readonly object: Desired;
  readonly address: Address;
  /** The reference that makes the declaration need the missing object. */
  readonly by: LostRef;
}

class Search {
  readonly #kinds: KindTable;
  readonly #missing: ReadonlyMap<Address, MissingObject>;
  readonly #absent: ReadonlySet<Address>;
  readonly #held = new Map<Address, Held>();
  readonly #places = new Map<Address, Span[]>();

  constructor(kinds: KindTable, missing: readonly MissingObject[], absent: ReadonlySet<Address>) {
    this.#kinds = kinds;
    // Several parts of one object may be ambiguous.
    const named = Map.groupBy(missing, one => addressOf(one.kind, one.key));
    this.#missing = new Map(
      [...named].flatMap(([address, [first, ...others]]) => {
        if (first === undefined || others.length === 0) return first ? [[address, first]] : [];
        const namesakes = [first, ...others].flatMap(one => one.namesakes ?? []);
        return [[address, { ...first, namesakes: [...new Set(namesakes)] }]];
      }),
    );
    this.#absent = absent;
  }

  /**
   * Returns the declared objects without lost references. An object that cannot be repaired is held
   * and returned unchanged.
   */
  repair(desired: readonly Desired[]): Desired[] {
    for (;;) {
      const before = this.#held.size;
      this.#places.clear();
      const repairs = desired.flatMap(object => this.#one(object));
      if (this.#held.size === before) return repairs;
    }
  }

  heldObjects(): readonly Held[] {
    return [...this.#held.values()];
  }

  /** The missing objects that the files name. */
  found(): (FoundMissing & { readonly uses: number })[] {
    return [...this.#missing].flatMap(([address, one]) => {
      const places = this.#places.get(address) ?? [];
      const [at] = places;
      return at ? [{ ...one, address, at, uses: places.length }] : [];
    });
  }

  #one(object: Desired): Desired[] {
    const address = addressOf(object.kind, object.key);
    const kind = this.#kinds.get(object.kind);
    if (!kind) return [object];
    const missing = this.#missing.get(address);
    if (missing) {
      this.#place(address, object.at);
      return staysInFiles(missing, kind) ? [object] : [];
    }
    const { object: whole, lost, stuck } = repaired(kind, object, this.#gone());
    for (const one of lost) this.#place(one.address, object.spans[pointer(one.path)] ?? object.at);
    const by = stuck ?? this.#lostHome(kind, object);
    if (by) this.#held.set(address, this.#held.get(address) ?? { object, address, by });
    return [this.#held.has(address) ? object : whole];
  }

  // The addresses of objects that do not exist and are not created. They include held objects that
  // do not exist yet, so that objects that refer to these are repaired too.
  #gone() {
    const entries = [...this.#missing].map(
      ([address, { fate }]) => [address, { mayLive: fate?.type !== 'deleted' }] as const,
    );
    const held = [...this.#held.keys()]
      .filter(address => this.#absent.has(address))
      .map(address => [address, { mayLive: false }] as const);
    return new Map([...entries, ...held]);
  }

  #lostHome({ parent }: Kind, object: Desired): LostRef | undefined {
    if (parent === undefined || object.parent === undefined) return undefined;
    const address = addressOf(parent, object.parent);
    return this.#gone().has(address) ? { address, path: [] } : undefined;
  }

  #place(address: Address, at: Span): void {
    const places = this.#places.get(address) ?? [];
    places.push(at);
    this.#places.set(address, places);
  }
}

// The live objects with an ambiguous name. None of them may be deleted as undeclared.
const ambiguousOnes = ({ kind, isAmbiguous, namesakes = [] }: MissingObject) =>
  isAmbiguous ? namesakes.map(id => ({ kind, key: idKey(id) })) : [];

// Whether an ambiguous object is left out of the run but stays in the files, because its other
// parts are known.
const staysInFiles = ({ isAmbiguous }: MissingObject, kind: Kind | undefined): boolean =>
  isAmbiguous === true && kind?.parts !== undefined;

function ambiguousFinding(
  { address, kind: name, key, at, namesakes = [] }: FoundMissing,
  kinds: KindTable,
): Diagnostic {
  const { noun, plural } = kinds.get(name) ?? { noun: name, plural: name };
  const ids = [...namesakes].sort();
  return {
    code: 'OBJECT_AMBIGUOUS',
    severity: 'warning',
    message: `the account has ${ids.length} ${plural} called ${quoted(key)}: ${ids.map(id => quoted(idKey(id))).join(', ')}; it is unknown which one ${address} is, so the access of all of them stays as it is`,
    at,
    hint: `bind the ${noun} that is meant with lifecycle.id, or rename the others: ${ids.map(nameText).join(', ')}`,
  };
}

function missingFinding(
  { address, at, fate, uses, namesakes = [] }: FoundMissing & { readonly uses: number },
  kind: Kind | undefined,
): Diagnostic {
  const files = uses > 1 ? `${uses} places in the files` : 'the files';
  const noun = kind?.noun ?? 'object';
  const others = namesakes.map(idKey).sort();
  const taken =
    others.length > 0 ? `; another ${noun} has its name now: ${others.map(quoted).join(', ')}` : '';
  return {
    code: 'OBJECT_MISSING',
    severity: 'warning',
    message: `${address} ${fateText(fate)}${taken}`,
    at,
    hint:
      others.length > 0
        ? `if the other ${noun} is meant, declare it with ${quoted(`lifecycle: { id: ${namesakes[0]} }`)}; otherwise remove the name from ${files}`
        : `remove the name of the ${noun} from ${files}: \`meshform export --out\` takes it out of lists`,
  };
}

// Returns a held object that is absent too. The server may have deleted it together with the object
// that it needs.
const missingToo =
  (absent: ReadonlySet<Address>) =>
  ({ address, object: { kind, key, at } }: Held): FoundMissing[] =>
    absent.has(address) ? [{ address, kind, key, at }] : [];

function heldFinding(
  { address, object, by }: Held,
  isAbsent: boolean,
  { changes, kinds }: { readonly changes: readonly ShownChange[]; readonly kinds: KindTable },
): Diagnostic {
  const own = changes.filter(
    ({ kind, key, partOf }) => kind === object.kind && (partOf ?? key) === object.key,
  );
  const more = own.length > 0 ? `; it differs in ${differingIn(own, kinds)} too` : '';
  const fate = isAbsent ? 'is not created' : 'stays as it is';
  return {
    code: 'OBJECT_HELD',
    severity: 'warning',
    message: `${address} ${fate}: it cannot be written as declared without ${by.address}${more}`,
    at: object.spans[pointer(by.path)] ?? object.at,
    hint: 'declare what it should be now; until then an apply ends with exit code 4',
  };
}
