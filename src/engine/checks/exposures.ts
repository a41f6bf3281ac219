// Objects that a plan opens to everybody on the internet, or whose locks it weakens. The kind
// declares the locks.
import type { Exposes, Kind } from '../../kinds/kind.ts';
import { isEmpty } from '../../kinds/values/canonical.ts';
import {
  type Exposure,
  exposureOf,
  isOpen,
  isReached,
  weakerLocks,
} from '../../kinds/values/exposure.ts';
import { refsIn } from '../../kinds/values/refs.ts';
import { shapeAt } from '../../kinds/values/shapeAt.ts';
import { addressOf } from '../../model/key.ts';
import type { Address, Key } from '../../model/names.ts';
import { quoted } from '../../model/text/visible.ts';
import { type Fields, isObject, type Json } from '../../model/value.ts';
import type { FoundHazard, FoundHazards } from '../types/hazard.ts';
import type { PlanInAccount } from '../types/planInAccount.ts';

/**
 * The hazards of objects that become open, including created objects. If an open object forwards
 * callers to another object, a changed address of that other object is a hazard too.
 */
export function exposures(plan: PlanInAccount): FoundHazards {
  const { changes, before, after, context } = plan;
  const moved = movedTargets(plan);
  return new Map([
    ...moved,
    ...changes.flatMap(({ change: { address, kind: name } }): [Address, FoundHazard[]][] => {
      const kind = context.kind(name);
      const { exposes } = kind;
      const now = after.objects.get(address)?.fields;
      if (exposes === undefined || now === undefined) return [];
      const says = saysOf({ exposes, kind, now, was: before.objects.get(address)?.fields });
      return says === undefined
        ? []
        : [[address, [{ code: exposes.code, message: `${address} ${says}` }]]];
    }),
  ]);
}

/** An open object that forwards callers to an object whose address changes. */
interface Followed {
  readonly target: Address;
  /** The field that contains the address. */
  readonly field: string;
  readonly code: FoundHazard['code'];
  readonly leads: string;
}

// The hazards of objects whose address changes, if an object that stays open to everybody on the
// internet forwards callers to them.
function movedTargets(plan: PlanInAccount): FoundHazards {
  const updated = plan.changes.filter(({ change }) => change.type === 'update');
  if (updated.length === 0) return new Map();
  const addresses = new Set(updated.map(({ change }) => change.address));
  const found = [...plan.after.objects].flatMap(([address, { kind, fields }]) =>
    followedBy(address, { kind: plan.context.kind(kind), now: fields, addresses, plan }),
  );
  return new Map(
    [...Map.groupBy(found, ({ target }) => target)].map(([target, all]) => {
      const leads = [...new Set(all.map(one => one.leads))].sort().join('; ');
      const hazards = all.slice(0, 1).map(({ code, field }) => ({
        code,
        message: `${target} gets another ${quoted(field)}, and is open to everybody on the internet: ${leads}`,
      }));
      return [target, hazards];
    }),
  );
}

function followedBy(
  address: Address,
  {
    kind,
    now,
    addresses,
    plan: { before, after },
  }: {
    readonly kind: Kind;
    readonly now: Fields;
    /** The updated objects. */
    readonly addresses: ReadonlySet<Address>;
    readonly plan: PlanInAccount;
  },
): Followed[] {
  const { exposes, addressed } = kind;
  const was = before.objects.get(address)?.fields;
  if (exposes === undefined || was === undefined) return [];
  const [from, to] = [was, now].map(fields => exposureOf(exposes, kind.shape, fields));
  if (!from || !to || !isOpen(from) || !isOpen(to)) return [];
  const { code } = exposes;
  const rules = addressed.filter(({ of }) => of === exposes.to);
  return rules.flatMap(({ ref, field, by }) => {
    const valueIn = ({ objects }: typeof after, target: Address) =>
      objects.get(target)?.fields[field];
    const isMoved = (target: Address) =>
      addresses.has(target) && valueIn(before, target) !== valueIn(after, target);
    return to.to.flatMap(item => {
      const targets = targetsOf(item, { ref, by }, exposes, kind).filter(isMoved);
      const leads = `${namesOf(exposes, now)} leads to ${shown(item, exposes, kind)}`;
      return targets.map(target => ({ target, field, code, leads }));
    });
  });
}

// The objects to whose address an item leads; none if the item itself contains an address.
function targetsOf(
  item: Json,
  { ref, by }: { readonly ref: string; readonly by: string },
  { to }: Exposes,
  { shape }: Kind,
): readonly Address[] {
  const items = shapeAt(shape, [to]);
  const field = items?.type === 'list' ? shapeAt(items.items, [ref]) : undefined;
  if (!field || !isObject(item) || !isEmpty(item[by])) return [];
  return refsIn(field, item[ref]).map(({ kind, key }) => addressOf(kind, key as Key));
}

interface Exposed {
  readonly exposes: Exposes;
  readonly kind: Kind;
  readonly now: Fields;
  readonly was: Fields | undefined;
}

function saysOf({ exposes, kind, now, was }: Exposed): string | undefined {
  const to = exposureOf(exposes, kind.shape, now);
  if (!isReached(to)) return undefined;
  const from = was && exposureOf(exposes, kind.shape, was);
  const where = (items: readonly Json[]) =>
    `${namesOf(exposes, now)} leads to ${items.map(item => shown(item, exposes, kind)).join(', ')}`;
  if (isOpen(to)) {
    const wasOpen = from !== undefined && isOpen(from);
    const more = to.to.map(item => shown(item, exposes, kind));
    const known = wasOpen ? from.to.map(item => shown(item, exposes, kind)) : [];
    // An open path also opens all paths below it.
    const isKnown = (one: string) =>
      known.some(
        there => one === there || [`${there} /`, `${there}/`].some(above => one.startsWith(above)),
      );
    if (!more.every(isKnown))
      return `${wordFor(from)} to everybody on the internet: ${where(to.to)}`;
  }
  if (from?.isInside === true && from.to.length > 0)
    return `can be called from the internet, by anybody who has a key for it or is within its limits: ${where(to.to)}`;
  if (from === undefined || !isReached(from)) return undefined;
  const weaker = weakerLocks(from, to);
  if (weaker.length === 0) return undefined;
  return `lets in more callers from the internet, by ${weaker.map(quoted).join(', ')}: ${where(to.to)}`;
}

function wordFor(from: Exposure | undefined): string {
  if (from === undefined) return 'is created open';
  if (isOpen(from)) return 'has more targets, and is open';
  return from.to.length === 0 ? 'is switched on, and open' : 'loses its last lock, and is open';
}

const namesOf = ({ names }: Exposes, fields: Fields): string =>
  quoted(
    names
      .flatMap(name => fields[name] ?? [])
      .map(String)
      .join(':'),
  );

/** Describes an item as `kind/name`, followed by its other values that are not empty: `peer/gate:80 /status`. */
function shown(item: Json, { to, shows }: Exposes, { shape }: Kind): string {
  const list = shape.fields.get(to)?.shape;
  const items = list?.type === 'list' ? list.items : undefined;
  const fields = items?.type === 'object' ? items.fields : undefined;
  return shows
    .flatMap(name => {
      const value = isObject(item) ? item[name] : undefined;
      const field = fields?.get(name)?.shape;
      const refs = field ? refsIn(field, value).map(({ kind, key }) => `${kind}/${key}`) : [];
      if (refs.length > 0) return refs;
      return typeof value === 'object' || !value || value === '/' ? [] : [String(value)];
    })
    .reduce((text, part) => {
      if (text === '') return part;
      return part.startsWith('/') ? `${text} ${part}` : `${text}:${part}`;
    }, '');
}
