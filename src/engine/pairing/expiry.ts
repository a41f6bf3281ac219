// Keys, tokens and links expire. An expired object does not differ from the files, but nobody can use it any more.
import type { Kind } from '../../kinds/kind.ts';
import { isSecretRenewable } from '../../kinds/secretRenewal.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Desired, Live } from '../../model/object.ts';
import { exactPattern } from '../../model/objectName.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import type { Pair } from '../types/pairing.ts';
import type { PlanContext } from '../types/planContext.ts';

/**
 * The time at which an object expires, in milliseconds; undefined if it never expires. The year 1 means never
 * (docs/server-behaviour.md#json-bodies).
 */
export function endOf({ expiry }: Kind, { serverFields }: Live): number | undefined {
  const end = expiry ? Date.parse(String(serverFields[expiry.field])) : Number.NaN;
  return end > 0 ? end : undefined;
}

/**
 * The time at which the lifetime of an object started, in milliseconds. Undefined if it is unknown, or if a later update changed
 * the expiry.
 */
export function startOf({ expiry }: Kind, { serverFields }: Live): number | undefined {
  const start = expiry?.since ? Date.parse(String(serverFields[expiry.since])) : Number.NaN;
  return start > 0 ? start : undefined;
}

/** Whether an object has expired and can no longer be used. */
export function hasExpired(kind: Kind, live: Live, now: number | undefined): boolean {
  if (now === undefined || !kind.expiry) return false;
  const { when } = kind.expiry;
  const isSaid = when?.in.includes(String(live.serverFields[when.field]));
  return isSaid === true || (endOf(kind, live) ?? Number.POSITIVE_INFINITY) <= now;
}

/**
 * Why an object is replaced or gets a new secret although no field differs, in words; null if
 * nothing is renewed.
 */
export function renewal({ desired, live }: Pair, { kind, now }: PlanContext): string | null {
  const { renew_before: before } = desired.lifecycle;
  const own = kind(desired.kind);
  if (before === undefined || now === undefined) return null;
  if (hasExpired(own, live, now)) return expiryText(own, live);
  const end = endOf(own, live);
  if (end === undefined || end - now > milliseconds(before)) return null;
  return `it expires on ${dayOf(end)}, in less than ${before}`;
}

/** Warnings for objects that have expired and are not renewed. */
export function expiredFindings(pairs: readonly Pair[], context: PlanContext): Diagnostic[] {
  return pairs.flatMap(({ desired, live }): Diagnostic[] => {
    const kind = context.kind(desired.kind);
    if (desired.lifecycle.renew_before !== undefined) return [];
    if (!hasExpired(kind, live, context.now)) return [];
    return [
      {
        code: 'OBJECT_LAPSED',
        severity: 'warning',
        message: `${context.addressOf(live)} can no longer be used: ${expiryText(kind, live)}`,
        at: desired.at,
        hint: expiredHint(kind, live, desired),
      },
    ];
  });
}

// The hint for an expired object. If its expiry time is known, the hint suggests to renew the next
// object in time. If it is used up, the object must be rotated, or its declaration removed.
function expiredHint(kind: Kind, live: Live, desired: Desired): string {
  const { key } = desired;
  if (saidState(kind, live) === undefined)
    return `\`lifecycle: { renew_before: ${inTime(kind, desired)} }\` renews it in time`;
  const rotate = isSecretRenewable(kind)
    ? `\`--rotate ${shellWord(exactPattern({ kind: kind.name, key }, kind.depth))}\` creates a new one; otherwise `
    : '';
  return `${rotate}remove its declaration`;
}

// The value to suggest for `renew_before`: two weeks, or half of the lifetime if that is shorter than a month.
function inTime({ shape }: Kind, { fields }: Desired): string {
  const lifetime = [...shape.fields.values()].find(
    ({ inputOnly, shape: own }) => inputOnly && own.type === 'scalar' && own.json === 'integer',
  );
  const half = (Number(fields[lifetime?.name ?? '']) * 1000) / 2;
  if (!(half > 0) || half >= 14 * UNITS.d) return '14d';
  if (half >= UNITS.d) return `${Math.floor(half / UNITS.d)}d`;
  if (half >= UNITS.h) return `${Math.floor(half / UNITS.h)}h`;
  return `${Math.max(1, Math.floor(half / UNITS.m))}m`;
}

// The state, other than the expiry time, that makes an object unusable; undefined if there is none.
function saidState({ expiry }: Kind, { serverFields }: Live): string | undefined {
  const state = expiry?.when && String(serverFields[expiry.when.field]);
  return state !== undefined && expiry?.when?.in.includes(state) && state !== expiry?.when?.timeIsUp
    ? state
    : undefined;
}

function expiryText(kind: Kind, live: Live): string {
  const state = saidState(kind, live);
  const end = endOf(kind, live);
  if (state !== undefined) return `it is ${state}`;
  return end === undefined ? 'it has expired' : `it expired on ${dayOf(end)}`;
}

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

const UNITS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

// A time span in milliseconds. The schema of `lifecycle` has already checked its form.
function milliseconds(span: NonNullable<Desired['lifecycle']['renew_before']>): number {
  const unit = Object.entries(UNITS).find(([name]) => span.endsWith(name));
  return Number.parseInt(span, 10) * (unit?.[1] ?? 0);
}
