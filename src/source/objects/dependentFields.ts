// Declarations that the server would reject: fields that depend on the target of a reference, and
// maps with keys that the server treats as equal.
import { bits, parsePrefix } from '../../kinds/values/ip.ts';
import { refKey } from '../../kinds/values/refs.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { addressOf } from '../../model/key.ts';
import { type Key, kindName } from '../../model/names.ts';
import { quoted } from '../../model/text/visible.ts';
import { isList, isObject, type Json } from '../../model/value.ts';
import type { Declared } from './declared.ts';

/**
 * Errors for references to declared objects with an address. A reference to a network must name one address in the network. Any
 * other reference must not name an address, because the server uses the address of the object.
 */
export function misaddressed(declared: readonly Declared[]): Diagnostic[] {
  const known = new Map(
    declared.map(({ desired }) => [addressOf(desired.kind, desired.key), desired]),
  );
  return declared.flatMap(({ desired, kind, node }) =>
    kind.addressed.flatMap(({ of, ref, kind: name, field, by }) => {
      const items = desired.fields[of];
      return (isList(items) ? items : []).flatMap((item, at): Diagnostic[] => {
        if (!isObject(item)) return [];
        const pointer = isObject(item[ref]) ? item[ref] : {};
        const key = refKey(pointer[name]);
        const target = key === null ? undefined : known.get(addressOf(kindName(name), key as Key));
        const address = target?.fields[field];
        if (typeof address !== 'string' || isNetwork(address) === (item[by] !== undefined))
          return [];
        const path = [of, String(at)];
        const names = { by, target: String(key), address };
        return [
          item[by] === undefined
            ? { ...missing(names), at: node.at(path) }
            : { ...replaced(names), at: node.at([...path, by]) },
        ];
      });
    }),
  );
}

interface Names {
  readonly by: string;
  readonly target: string;
  readonly address: string;
}

const missing = ({ by, target, address }: Names): Diagnostic => ({
  code: 'SCHEMA_MISSING_FIELD',
  severity: 'error',
  message: `${quoted(by)} is missing: ${quoted(target)} is the network ${quoted(address)}, and the server must know which of its addresses is meant`,
  hint: `add ${quoted(`${by}: ADDRESS`)}`,
});

const replaced = ({ by, target, address }: Names): Diagnostic => ({
  code: 'SCHEMA_COMBINATION',
  severity: 'error',
  message: `${quoted(by)} is not stored: the address of ${quoted(target)} is ${quoted(address)}, which the server does not accept as a network`,
  hint: `remove ${quoted(by)}, because the server uses the address of the target`,
});

/** The IPv4 and IPv6 prefix lengths that the server treats as a single address (docs/server-behaviour.md#network-resources). */
const SINGLE: readonly number[] = [bits(4), bits(6)];

function isNetwork(text: string): boolean {
  const prefix = parsePrefix(text);
  return prefix !== null && !SINGLE.includes(prefix.length);
}

/** Keys of a map that differ only in case. */
export function alikeKeys(declared: readonly Declared[]): Diagnostic[] {
  return declared.flatMap(({ desired, kind, node }) =>
    kind.distinctKeys.flatMap(path =>
      mapsAt(desired.fields, path.split('.'), []).flatMap(({ map, at }): Diagnostic[] => {
        const first = new Map<string, string>();
        return Object.keys(map).flatMap((name): Diagnostic[] => {
          const other = first.get(name.toLowerCase());
          if (other === undefined) first.set(name.toLowerCase(), name);
          if (other === undefined) return [];
          return [
            {
              code: 'SCHEMA_COMBINATION',
              severity: 'error',
              message: `${quoted(name)} and ${quoted(other)} differ only in case, and the server treats them as one name`,
              at: node.at([...at, name]),
            },
          ];
        });
      }),
    ),
  );
}

interface FoundMap {
  readonly map: Readonly<Record<string, Json>>;
  readonly at: readonly string[];
}

function mapsAt(
  value: Json | undefined,
  path: readonly string[],
  at: readonly string[],
): readonly FoundMap[] {
  if (isList(value)) return value.flatMap((item, i) => mapsAt(item, path, [...at, String(i)]));
  if (!isObject(value)) return [];
  const [step, ...rest] = path;
  return step === undefined ? [{ map: value, at }] : mapsAt(value[step], rest, [...at, step]);
}
