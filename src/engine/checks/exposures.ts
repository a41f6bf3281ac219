// Objects that a plan opens to everybody on the internet, or whose locks it weakens, as their kind declares its locks.
import type { Exposes, Kind } from '../../kinds/kind.ts';
import {
  type Exposure,
  exposureOf,
  isOpen,
  isReached,
  weakerLocks,
} from '../../kinds/values/exposure.ts';
import { refsIn } from '../../kinds/values/refs.ts';
import type { Address } from '../../model/names.ts';
import { quoted } from '../../model/text/visible.ts';
import { type Fields, isObject, type Json } from '../../model/value.ts';
import type { FoundHazard, FoundHazards } from '../types/hazard.ts';
import type { PlanInAccount } from '../types/planInAccount.ts';

/** The hazards of opened objects, including created objects. */
export function exposures({ changes, before, after, context }: PlanInAccount): FoundHazards {
  return new Map(
    changes.flatMap(({ change: { address, kind: name } }): [Address, FoundHazard[]][] => {
      const kind = context.kind(name);
      const { exposes } = kind;
      const now = after.objects.get(address)?.fields;
      if (exposes === undefined || now === undefined) return [];
      const says = saysOf({ exposes, kind, now, was: before.objects.get(address)?.fields });
      return says === undefined
        ? []
        : [[address, [{ code: exposes.code, message: `${address} ${says}` }]]];
    }),
  );
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
