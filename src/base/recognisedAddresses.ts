// Finds out which web addresses the keyed digests in a base represent, from the addresses of the account and of the files.
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
  markOfRecorded,
  markOfWritten,
  recordedMark,
  saltIn,
} from '../model/secrets/hostedSecret.ts';
import { isHostSecret } from '../model/secrets/secretHost.ts';
import { type Fields, isList, isObject, type Json } from '../model/value.ts';

/** The addresses that a run knows, and the digests by which bases mark them. */
export interface KnownAddresses {
  readonly kinds: KindTable;
  readonly live: readonly Pick<Live, 'kind' | 'fields'>[];
  readonly desired: readonly Desired[];
  readonly mark: Mark | undefined;
}

/** The objects of bases with their addresses. */
export interface Recognised {
  /** The objects with their addresses, in the same order; objects with an address that nobody recognises are left out. */
  readonly withAddresses: (objects: readonly Desired[]) => readonly Desired[];
  /** Whether the address of an object is unknown, because it was marked with another key. */
  readonly isUnknown: (object: Pick<Desired, 'kind' | 'fields'>) => boolean;
}

/** Recognises the addresses in bases. */
export function recognised({ kinds, live, desired, mark }: KnownAddresses): Recognised {
  const textsIn = ({ kind: name, fields }: Pick<Live, 'kind' | 'fields'>): readonly string[] => {
    const kind = kinds.get(name);
    if (mark === undefined || kind === undefined || !hasHidden(kind)) return [];
    return hiddenPaths(kind.shape, fields).map(({ text }) => text);
  };
  // An address of the files is recognised only where the base has it in the same written form: otherwise a guess could be
  // confirmed.
  const ofFiles = new Map(
    desired.flatMap(object =>
      textsIn(object).flatMap(text =>
        marksOfWritten(text, object.hidden?.written.get(text), mark).map(
          one => [one, text] as const,
        ),
      ),
    ),
  );
  const ofAccount = addressesByMark(new Set(live.flatMap(textsIn)), mark);
  const byMark: ByMark = written => ofAccount(written) ?? ofFiles.get(written);
  const isOfKey = (secret: HostedSecret) => comparedWith(secret, '', mark) !== 'unknown';
  const hostedIn = ({ kind, fields }: Pick<Desired, 'kind' | 'fields'>): HostedSecret[] =>
    hosted(kinds.get(kind), fields);
  return {
    withAddresses: objects =>
      objects.flatMap(object => {
        const secrets = hostedIn(object);
        if (secrets.length === 0) return [object];
        const texts = secrets.map(({ $digest = '' }) => byMark($digest));
        if (texts.some(text => text === undefined)) return [];
        const hidden = openedSources(secrets, byMark);
        return [{ ...object, fields: opened(object.fields, byMark), ...(hidden && { hidden }) }];
      }),
    isUnknown: object => hostedIn(object).some(secret => !isOfKey(secret)),
  };
}

/** The known address with a mark. */
type ByMark = (mark: string) => string | undefined;

// Each digest of a base has a different salt. Digests of earlier versions have none.
function addressesByMark(texts: ReadonlySet<string>, mark: Mark | undefined): ByMark {
  if (mark === undefined) return () => undefined;
  const bySalt = new Map<string | undefined, ReadonlyMap<string, string>>();
  const marksWith = (salt: string | undefined, text: string): readonly string[] =>
    salt === undefined ? [mark(text), markOfWritten(mark)(text)] : [recordedMark(mark, salt, text)];
  return written => {
    const salt = saltIn(written);
    const known =
      bySalt.get(salt) ??
      new Map([...texts].flatMap(text => marksWith(salt, text).map(one => [one, text] as const)));
    bySalt.set(salt, known);
    return known.get(written);
  };
}

// The digests that a base has for an address of the files with the same written form.
function marksOfWritten(
  value: string,
  text: string | undefined,
  mark: Mark | undefined,
): readonly string[] {
  if (mark === undefined) return [];
  const early = text === undefined ? markOfWritten(mark)(value) : mark(value);
  return [markOfRecorded(mark, text, value), early];
}

function hosted(kind: Kind | undefined, fields: Fields): HostedSecret[] {
  if (kind === undefined || !hasHidden(kind)) return [];
  return secretsAtHidden(kind.shape, fields).flatMap(({ secret }) =>
    isHosted(secret) ? [secret] : [],
  );
}

// The sources of the addresses with a secret host.
function openedSources(
  secrets: readonly HostedSecret[],
  byMark: ByMark,
): HiddenSources | undefined {
  const whole = secrets.filter(isHostSecret);
  if (whole.length === 0) return undefined;
  return {
    sources: new Map(whole.map(({ $digest = '', $secret }) => [byMark($digest) ?? '', $secret])),
    places: new Map(whole.map(({ $secret }) => [$secret, ''])),
    unread: new Map(),
    written: new Map(),
  };
}

function opened(fields: Fields, byMark: ByMark): Fields {
  const open = (value: Json): Json => {
    if (isHosted(value)) return byMark(value.$digest ?? '') ?? value;
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

/**
 * The identity, including the address, of an object whose name may not be unique. Undefined for other kinds, and for an object
 * without an address.
 */
export function exactName(
  { kind: name, fields }: { readonly kind: KindName; readonly fields: Fields },
  kinds: KindTable,
  side: 'desired' | 'live',
): string | undefined {
  const kind = kinds.get(name);
  if (kind === undefined || !sharesNames(kind)) return undefined;
  return exactIdentity(kind, canonicalFields(kind.shape, fields, side)) ?? undefined;
}
