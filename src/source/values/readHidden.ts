// Reads secrets with a visible host when a plan is created: they identify objects, so there is no plan without them.
import isEqual from 'fast-deep-equal';
import { childKey, identityName } from '../../kinds/identity/identity.ts';
import type { Kind, KindTable } from '../../kinds/kind.ts';
import { FORMATS } from '../../kinds/schema/formats.ts';
import { canonicalFields } from '../../kinds/values/canonical.ts';
import { hasHidden, secretsAtHidden } from '../../kinds/values/hidden.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { present } from '../../model/errors.ts';
import { addressOf } from '../../model/key.ts';
import type { Desired } from '../../model/object.ts';
import type { Fault } from '../../model/outcome.ts';
import { isSecret } from '../../model/secrets/secret.ts';
import { pointer } from '../../model/text/pointer.ts';
import { type Fields, isList, isObject, type Json, type Path } from '../../model/value.ts';
import { inputError } from './externalInputs.ts';
import { withNumberedKeys } from './numberedKeys.ts';

/** The value of a reference, or why there is none. */
export type ReadText = (text: string) => Promise<string | Fault>;

/** Declared objects with their hidden values, and findings about values that could not be read. */
export interface ReadObjects {
  readonly desired: readonly Desired[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads all hidden values of declared objects. Values that cannot be read stay as they are; without `read`, all values do. */
export async function readHidden(
  objects: readonly Desired[],
  kinds: KindTable,
  read: ReadText | undefined,
): Promise<ReadObjects> {
  if (!read || objects.every(({ hidden }) => hidden === undefined))
    return { desired: objects, diagnostics: [] };
  const diagnostics: Diagnostic[] = [];
  const found: { readonly kind: Kind | undefined; readonly desired: Desired }[] = [];
  for (const desired of objects) {
    const kind = kinds.get(desired.kind);
    const isDue = kind && hasHidden(kind) && (desired.hidden?.unread.size ?? 0) > 0;
    found.push({
      kind,
      desired: isDue ? await withValues(kind, desired, read, diagnostics) : desired,
    });
  }
  const known = found.flatMap(({ kind, desired }) => (kind ? [{ kind, desired }] : []));
  const numbered = withNumberedKeys(known).map(({ desired }) => desired);
  return { desired: numbered, diagnostics: [...diagnostics, ...twice(numbered, objects)] };
}

/**
 * The result for the objects of a base, with warnings in place of errors: a secret may have been deleted together with its
 * object, and then the base can no longer identify the object.
 */
export const ofEarlier = ({ desired, diagnostics }: ReadObjects): ReadObjects => ({
  desired,
  diagnostics: diagnostics.map(({ code, message, ...fault }) => ({
    ...fault,
    code,
    severity: 'warning',
    message: `the base: ${message}`,
    hint: 'the plan ignores this declaration of the base',
  })),
});

/** Whether a finding is not among these already: an error need not be repeated as a note. */
export const isNotAmong =
  (reported: readonly Diagnostic[]) =>
  ({ code, at }: Diagnostic): boolean =>
    at === undefined || !reported.some(one => one.code === code && isEqual(one.at, at));

async function withValues(
  kind: Kind,
  desired: Desired,
  read: ReadText,
  diagnostics: Diagnostic[],
): Promise<Desired> {
  const sources = new Map(desired.hidden?.sources);
  const unread = new Map(desired.hidden?.unread);
  const written = new Map(desired.hidden?.written);
  const places = desired.hidden?.places ?? new Map<string, string>();
  let place: string | undefined;
  let { fields } = desired;
  for (const { path, secret } of secretsAtHidden(kind.shape, fields)) {
    const { $secret: source } = secret;
    const at = desired.spans[pointer(path)] ?? desired.at;
    const value = await read(desired.hidden?.unread.get(source) ?? source);
    const fault = typeof value === 'string' ? formFault(value, at) : notThere(value, at);
    if (fault || typeof value !== 'string') {
      if (fault) diagnostics.push(fault);
      continue;
    }
    written.set(value, unread.get(source) ?? source);
    unread.delete(source);
    sources.set(value, source);
    place ??= places.get(source);
    fields = replaced(fields, path, value);
  }
  const known = { ...desired, fields, hidden: { sources, unread, written, places } };
  const name = place ?? identityName(kind, canonicalFields(kind.shape, fields, 'desired'));
  const isNamed = name !== null && desired.lifecycle.id === undefined;
  return isNamed ? { ...known, key: childKey(desired.parent, name) } : known;
}

function formFault(value: string, at: Diagnostic['at'] & object): Diagnostic | null {
  const form = present(FORMATS['web-address'], 'the form of a web address');
  if (form.holds(value)) return null;
  const message = 'this value is not the address of a web server';
  return inputError('SCHEMA_FORMAT', message, at, `it must be ${form.what}`);
}

const notThere = (fault: Fault, at: Diagnostic['at'] & object): Diagnostic => ({
  code: fault.code === 'SECRET_UNREADABLE' ? 'SECRET_UNREADABLE' : 'SECRET_UNDEFINED',
  severity: 'error',
  message: `${fault.message}, and the plan needs it to identify the object`,
  at,
  ...(fault.hint !== undefined && { hint: fault.hint }),
});

function replaced(fields: Fields, path: Path, value: string): Fields {
  const put = (inner: Json | undefined, [step, ...rest]: Path): Json => {
    if (step === undefined || isSecret(inner)) return value;
    if (isList(inner)) return inner.map((item, i) => (String(i) === step ? put(item, rest) : item));
    return isObject(inner) ? { ...inner, [step]: put(inner[step], rest) } : value;
  };
  return put(fields, path) as Fields;
}

// Errors for objects that are declared twice because two texts have the same value.
function twice(now: readonly Desired[], before: readonly Desired[]): Diagnostic[] {
  const first = new Map<string, Desired>();
  const wasKnown = new Set(before.map(({ kind, key }) => addressOf(kind, key)));
  return now.flatMap((desired): Diagnostic[] => {
    const address = addressOf(desired.kind, desired.key);
    const other = first.get(address);
    first.set(address, other ?? desired);
    if (!other || wasKnown.size < before.length) return [];
    const { file, line, column } = other.at;
    return [
      {
        code: 'OBJECT_DUPLICATE',
        severity: 'error',
        at: desired.at,
        message: `${address} is declared twice`,
        hint: `the first is at ${file}:${line}:${column}`,
      },
    ];
  });
}
