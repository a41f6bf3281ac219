// Computes a digest of a live object as a plan saw it, so that a write can detect later changes
// (docs/design.md#a-plan-is-a-value).
import { createHash } from 'node:crypto';
import type { Kind } from '../../kinds/kind.ts';
import { canonicalFields } from '../../kinds/values/canonical.ts';
import { exposureFields } from '../../kinds/values/exposure.ts';
import { hasHidden, hostsOnly, withoutHosts } from '../../kinds/values/hidden.ts';
import { hasMasked, withoutMasked } from '../../kinds/values/masked.ts';
import { refsIn } from '../../kinds/values/refs.ts';
import { present } from '../../model/errors.ts';
import { idKey } from '../../model/key.ts';
import type { KindName, RemoteId } from '../../model/names.ts';
import type { Members, UpdateAction } from '../../model/plan.ts';
import { stableText } from '../../model/text/stableText.ts';
import { type Fields, isList, type Json, type Path, valueAt } from '../../model/value.ts';
import { isCompared } from './diff.ts';

/** The parts of an object that a digest covers. */
export interface DigestScope {
  /** The fields that the plan owns or has judged. */
  readonly fields: ReadonlySet<string>;
  /** For shared sets: the members, as `id:<value>`, that the plan adds or removes. */
  readonly watched: Readonly<Record<string, ReadonlySet<string>>>;
  /**
   * The fields that an update writes. If a value may be secret, the digest covers it only if the
   * files contain it.
   */
  readonly written?: Fields;
  /** Members, as `id:<value>`, whose presence in the set does not matter. */
  readonly unwatched?: Readonly<Record<string, ReadonlySet<string>>>;
}

/** Resolves keys to ids. */
export type IdOf = (kind: KindName, key: string) => RemoteId | undefined;

/**
 * The digest of a live object's fields in id space, so that renames of other objects do not change it. A web address is covered
 * by its host, unless the host is secret too. Values in clear text that may be secret are not covered, because a digest could be
 * used to guess them.
 */
export function digest(
  kind: Kind,
  idFields: Fields,
  scope: DigestScope,
  hosts: 'shown' | 'secret' = 'shown',
): string {
  const hiddenLess = hosts === 'shown' ? hostsOnly : withoutHosts;
  const canonical = canonicalFields(kind.shape, idFields, 'live');
  const seen: Record<string, Json> = {};
  const isOpen = (path: Path, value: Json) => valueAt(scope.written, path) === value;
  const isMasking = hasMasked(kind);
  for (const field of kind.shape.fields.values()) {
    const whole = canonical[field.name];
    if (!scope.fields.has(field.name) || !isCompared(field) || whole === undefined) continue;
    const shown = isMasking ? withoutMasked(field.shape, whole, isOpen, [field.name]) : whole;
    const value = hiddenLess(field.shape, shown);
    const watched = scope.watched[field.name];
    const unwatched = scope.unwatched?.[field.name];
    const isSeen = (item: Json) =>
      (watched?.has(String(item)) ?? true) && unwatched?.has(String(item)) !== true;
    seen[field.name] = (watched || unwatched) && isList(value) ? value.filter(isSeen) : value;
  }
  return createHash('sha256').update(stableText(seen)).digest('hex').slice(0, 16);
}

/**
 * Whether a digest in a plan matches an object. The plan says whether the host of the object's
 * address is secret.
 */
export function isDigestOf(
  seen: string | undefined,
  kind: Kind,
  idFields: Fields,
  scope: DigestScope,
): boolean {
  if (digest(kind, idFields, scope) === seen) return true;
  return hasHidden(kind) && digest(kind, idFields, scope, 'secret') === seen;
}

/**
 * The parts of an object that must be unchanged for an approved update: the fields that the update
 * sends, and the fields that determine which outside callers the object admits. The update sends
 * these other fields back as they are. If somebody had removed a lock, the update would leave open
 * what the plan considered closed.
 */
export function updateScope(
  kind: Kind,
  { fields, members, moving = {} }: Pick<UpdateAction, 'fields' | 'members' | 'moving'>,
  idOf: IdOf,
): DigestScope {
  const watched = Object.entries(members).map(([name, planned]) => {
    const { shape } = present(kind.shape.fields.get(name), 'the field of a shared set');
    const ids = refsIn(shape, plannedMembers(planned)).flatMap(
      ref => idOf(ref.kind, ref.key) ?? [],
    );
    return [name, new Set(ids.map(id => String(idKey(id))))] as const;
  });
  const judged = kind.exposes ? exposureFields(kind.exposes) : [];
  const owned = new Set([...Object.keys(fields), ...Object.keys(members), ...judged]);
  const unwatched = Object.entries(moving).map(
    ([name, ids]) => [name, new Set(ids.map(id => String(idKey(id))))] as const,
  );
  return {
    fields: owned,
    written: fields,
    watched: Object.fromEntries(watched),
    ...(unwatched.length > 0 && { unwatched: Object.fromEntries(unwatched) }),
  };
}

/**
 * The parts of an object that must be unchanged for an approved delete: everything except members of shared sets, and values that
 * the server changes on its own, such as addresses.
 */
export function deleteScope(kind: Kind): DigestScope {
  const own = [...kind.shape.fields.values()].filter(
    field => !field.shared && !field.serverAssigned,
  );
  return { fields: new Set(own.map(field => field.name)), watched: {} };
}

/** The members of a shared set that a plan adds or removes. */
export function plannedMembers({ add, remove, keep }: Members): string[] {
  return [...add, ...remove, ...keep];
}
