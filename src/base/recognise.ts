// The web addresses in a base are keyed digests: they are recognised among the addresses of the account and of the files.
import { exactIdentity, sharesNames } from '../kinds/identity/identity.ts';
import type { Kind, KindTable } from '../kinds/kind.ts';
import { canonicalFields } from '../kinds/values/canonical.ts';
import { hasHidden, hiddenPaths, secretsAtHidden } from '../kinds/values/hidden.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { addressOf } from '../model/key.ts';
import type { KindName } from '../model/names.ts';
import type { Desired, HiddenSources, Live } from '../model/object.ts';
import {
  comparedWith,
  type HostedSecret,
  isHosted,
  type Mark,
  markOfWritten,
} from '../model/secrets/hostedSecret.ts';
import { isHostSecret } from '../model/secrets/secretHost.ts';
import { type Fields, isList, isObject, type Json } from '../model/value.ts';

/** The addresses that a run knows, and how bases mark them. */
export interface KnownAddresses {
  readonly kinds: KindTable;
  readonly live: readonly Pick<Live, 'kind' | 'fields'>[];
  readonly desired: readonly Desired[];
  readonly mark: Mark | undefined;
}

/** The objects of bases with their addresses. */
export interface Recognised {
  /** The same objects in the same order, without those whose address nobody has. */
  readonly withAddresses: (objects: readonly Desired[]) => readonly Desired[];
  /** Whether the address of an object is unknown, because it was marked with another key. */
  readonly isUnknown: (object: Pick<Desired, 'kind' | 'fields'>) => boolean;
}

/** Recognises the addresses in bases. */
export function recognised({ kinds, live, desired, mark }: KnownAddresses): Recognised {
  const byMark = new Map<string, string>();
  const marks = mark ? [mark, markOfWritten(mark)] : [];
  for (const { kind: name, fields } of mark ? [...live, ...desired] : []) {
    const kind = kinds.get(name);
    for (const { text } of kind && hasHidden(kind) ? hiddenPaths(kind.shape, fields) : [])
      for (const one of marks) byMark.set(one(text), text);
  }
  const isOfKey = (secret: HostedSecret) => comparedWith(secret, '', mark) !== 'unknown';
  const hostedIn = ({ kind, fields }: Pick<Desired, 'kind' | 'fields'>): HostedSecret[] =>
    hosted(kinds.get(kind), fields);
  return {
    withAddresses: objects =>
      objects.flatMap(object => {
        const secrets = hostedIn(object);
        if (secrets.length === 0) return [object];
        const texts = secrets.map(({ $digest = '' }) => byMark.get($digest));
        if (texts.some(text => text === undefined)) return [];
        const hidden = openedSources(secrets, byMark);
        return [{ ...object, fields: opened(object.fields, byMark), ...(hidden && { hidden }) }];
      }),
    isUnknown: object => hostedIn(object).some(secret => !isOfKey(secret)),
  };
}

function hosted(kind: Kind | undefined, fields: Fields): HostedSecret[] {
  if (kind === undefined || !hasHidden(kind)) return [];
  return secretsAtHidden(kind.shape, fields).flatMap(({ secret }) =>
    isHosted(secret) ? [secret] : [],
  );
}

// The sources of the addresses whose hosts are secret.
function openedSources(
  secrets: readonly HostedSecret[],
  byMark: ReadonlyMap<string, string>,
): HiddenSources | undefined {
  const whole = secrets.filter(isHostSecret);
  if (whole.length === 0) return undefined;
  return {
    sources: new Map(
      whole.map(({ $digest = '', $secret }) => [byMark.get($digest) ?? '', $secret]),
    ),
    places: new Map(whole.map(({ $secret }) => [$secret, ''])),
    unread: new Map(),
    written: new Map(),
  };
}

function opened(fields: Fields, byMark: ReadonlyMap<string, string>): Fields {
  const open = (value: Json): Json => {
    if (isHosted(value)) return byMark.get(value.$digest ?? '') ?? value;
    if (isList(value)) return value.map(open);
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, open(item)]));
  };
  return open(fields) as Fields;
}

/** A note for each address of a base that nobody can recognise. */
export function unrecognised(objects: readonly Desired[], kinds: KindTable): Diagnostic[] {
  return objects.map(({ kind, key, fields, at }): Diagnostic => {
    const [secret] = hosted(kinds.get(kind), fields);
    const source = secret?.$secret ? `, from ${secret.$secret}` : '';
    const host = secret && !isHostSecret(secret) ? secret.$host : 'a host that is not shown';
    return {
      code: 'BASE_UNRECOGNISED',
      severity: 'note',
      at,
      message: `${addressOf(kind, key)} of the base is at ${host}${source}; its address was marked with another key, so it is unknown whether it was removed`,
      hint: 'use the MESHFORM_FINGERPRINT_KEY, or the API token, of the run that recorded the base; to give it up, add --forget',
    };
  });
}

/** What identifies an object where several may have its name: its address too. Undefined for other kinds, and without an address. */
export function exactName(
  { kind: name, fields }: { readonly kind: KindName; readonly fields: Fields },
  kinds: KindTable,
  side: 'desired' | 'live',
): string | undefined {
  const kind = kinds.get(name);
  if (kind === undefined || !sharesNames(kind)) return undefined;
  return exactIdentity(kind, canonicalFields(kind.shape, fields, side)) ?? undefined;
}
