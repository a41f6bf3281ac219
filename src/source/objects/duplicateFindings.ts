// Faults between declared objects: duplicate names, duplicate ids, and former names that still belong to another
// object.
import { formerKeys } from '../../kinds/identity/formerKeys.ts';
import { isNameless } from '../../kinds/identity/identity.ts';
import type { Kind } from '../../kinds/kind.ts';
import { type Diagnostic, placeText, type Span } from '../../model/diagnostic.ts';
import { addressOf, idInKey, segmentsOf } from '../../model/key.ts';
import type { Desired } from '../../model/object.ts';
import { quoted } from '../../model/text/visible.ts';
import type { Json } from '../../model/value.ts';
import { namePath } from './declare.ts';
import type { Declared } from './declared.ts';
import { alikeKeys, misaddressed } from './dependentFields.ts';

/**
 * The findings about pairs of declared objects. In an earlier revision (`isEarlier`), swapped names are not an error, because
 * they had no effect.
 */
export function duplicateFindings(
  declared: readonly Declared[],
  { isEarlier = false }: { readonly isEarlier?: boolean } = {},
): Diagnostic[] {
  // An object that is to be deleted conflicts with no other object, because a plan deletes it first.
  const staying = declared.filter(({ desired }) => desired.lifecycle.delete !== true);
  return [
    ...duplicates(declared),
    ...alikeNames(staying),
    ...circles(staying),
    ...misplaced(declared),
    ...misaddressed(declared),
    ...alikeKeys(declared),
    ...notAlone(staying),
    ...notApart(staying),
    ...sharedIds(declared),
    ...formerNamesInUse(declared, isEarlier ? 'warning' : 'error'),
  ];
}

// Duplicate keys, and duplicate names if the server requires unique names in the account.
function duplicates(declared: readonly Declared[]): Diagnostic[] {
  const first = new Map<string, Declared>();
  return declared.flatMap((object): Diagnostic[] => {
    const { desired, kind, isFaulty } = object;
    if (isFaulty && isNameless(kind)) return [];
    const address = addressOf(desired.kind, desired.key);
    const accountWide =
      desired.lifecycle.delete === true ? undefined : nameInAccount(desired, kind);
    const same = first.get(address);
    const namesake = accountWide === undefined ? undefined : first.get(accountWide);
    if (!same) first.set(address, object);
    if (accountWide !== undefined && !namesake) first.set(accountWide, object);
    if (same) return [duplicate(object, `${address} is declared twice`, same, 'OBJECT_DUPLICATE')];
    if (!namesake) return [];
    const other = addressOf(namesake.desired.kind, namesake.desired.key);
    const message = `${address} and ${other} have the same name, which must be unique in the account`;
    return [duplicate(object, message, namesake, 'OBJECT_NAME_TAKEN')];
  });
}

// Errors for names that differ only in case: the server accepts both, but the programs that use the
// names ignore case.
function alikeNames(declared: readonly Declared[]): Diagnostic[] {
  const first = new Map<string, Declared>();
  return declared.flatMap((object): Diagnostic[] => {
    const { desired, kind } = object;
    const name = ownName(object);
    if (!kind.ignoresCase || name === undefined) return [];
    const place = JSON.stringify([kind.name, desired.parent ?? null, name.toLowerCase()]);
    const other = first.get(place);
    if (!other) first.set(place, object);
    if (!other || ownName(other) === name) return [];
    const [address, former] = [object, other].map(one => addressOf(kind.name, one.desired.key));
    const message = `the names of ${address} and ${former} differ only in case`;
    return [duplicate(object, message, other, 'OBJECT_NAME_TAKEN')];
  });
}

// The name of an object: the first of its identifying fields that is a text.
function ownName({ kind, desired: { fields } }: Declared): string | undefined {
  const path = kind.identity[0]?.find(one => typeof fields[one] === 'string');
  const name = path === undefined ? undefined : fields[path];
  return typeof name === 'string' ? name : undefined;
}

// Errors for names that redirect to each other or to themselves, so that nobody gets an address for
// them. Only names of one parent are compared: two parents may serve different machines, and the
// nearest parent of a name answers queries for it.
function circles(declared: readonly Declared[]): Diagnostic[] {
  const ends = new Map(
    declared.flatMap(object =>
      object.kind.redirects ? [[nameInParent(object), placeLedTo(object)] as const] : [],
    ),
  );
  const isCircle = (name: string): boolean => {
    const seen = new Set<string>();
    for (let next = ends.get(name); next !== undefined && !seen.has(next); next = ends.get(next)) {
      if (next === name) return true;
      seen.add(next);
    }
    return false;
  };
  return declared.flatMap((object): Diagnostic[] => {
    const { kind, desired, node } = object;
    const { redirects } = kind;
    if (!redirects || !isCircle(nameInParent(object))) return [];
    const to = quoted(redirects.to);
    const name = quoted(redirects.name);
    return [
      {
        code: 'SCHEMA_COMBINATION',
        severity: 'error',
        message: `the ${to} of ${addressOf(desired.kind, desired.key)} leads back to its ${name}: nobody gets an address for it`,
        at: node.at([redirects.to]),
        hint: `write a ${to} that is an address, or the ${name} of another ${kind.noun} with an address`,
      },
    ];
  });
}

const nameInParent = (object: Declared): string => inParent(object, object.kind.redirects?.name);

const placeLedTo = (object: Declared): string => inParent(object, object.kind.redirects?.to);

function inParent({ kind, desired: { parent, fields } }: Declared, field = ''): string {
  return JSON.stringify([kind.name, parent ?? null, textOf(fields[field])]);
}

const textOf = (value: Json | undefined): string => String(value ?? '').toLowerCase();

// Of several mutually exclusive objects, all but the first are reported.
function notAlone(declared: readonly Declared[]): Diagnostic[] {
  const groups = Map.groupBy(declared, ({ desired: { kind, parent, fields }, kind: of }) =>
    JSON.stringify([
      kind,
      parent ?? null,
      of.excludesOthers?.same.map(name =>
        of.ignoresCase ? textOf(fields[name]) : (fields[name] ?? null),
      ) ?? null,
    ]),
  );
  return [...groups.values()].flatMap(group => {
    const [first, ...others] = group;
    const { excludesOthers } = first?.kind ?? {};
    if (!first || !excludesOthers) return [];
    const isAlone = ({ desired: { fields } }: Declared): boolean =>
      excludesOthers.in.includes(String(fields[excludesOthers.field]));
    if (!group.some(isAlone)) return [];
    return others.map(object => {
      const address = addressOf(object.kind.name, object.desired.key);
      const other = addressOf(first.kind.name, first.desired.key);
      const message = `${address} and ${other} exclude each other: if ${quoted(excludesOthers.field)} of one is ${excludesOthers.in.map(quoted).join(' or ')}, it must be the only one`;
      return duplicate(object, message, first, 'OBJECT_IN_THE_WAY');
    });
  });
}

// Errors for two objects of different kinds that have the same value in fields whose values must differ.
function notApart(declared: readonly Declared[]): Diagnostic[] {
  return declared.flatMap((object): Diagnostic[] => {
    const { kind, desired, node } = object;
    const { differsFrom } = kind;
    // Each pair is reported once.
    if (!differsFrom || kind.name > differsFrom.kind) return [];
    const { field, other, ignores } = differsFrom;
    const read = (value: Json | undefined) => (ignores === 'case' ? textOf(value) : value);
    const value = desired.fields[field];
    if (typeof value !== 'string' || value === '') return [];
    const found = declared.find(
      one => one.kind.name === differsFrom.kind && read(one.desired.fields[other]) === read(value),
    );
    if (!found) return [];
    const address = addressOf(found.kind.name, found.desired.key);
    const message =
      found.desired.fields[other] === value
        ? `the server rejects a ${quoted(field)} that is the ${quoted(other)} of ${address}`
        : `the ${quoted(field)} and the ${quoted(other)} of ${address} differ only in case: both would answer for the same names`;
    const hint = `the other one is at ${placeText(found.node.at([other]))}: choose another value for one of the two`;
    return [{ code: 'OBJECT_IN_THE_WAY', severity: 'error', message, at: node.at([field]), hint }];
  });
}

function misplaced(declared: readonly Declared[]): Diagnostic[] {
  return declared.flatMap(({ desired, kind, node, parent }): Diagnostic[] => {
    if (!kind.below || !parent) return [];
    const { field } = kind.below;
    const text = desired.fields[field];
    const whole = parent.desired.fields[kind.below.parent];
    if (typeof text !== 'string' || typeof whole !== 'string') return [];
    if (text === whole || text.endsWith(`.${whole}`)) return [];
    return [
      {
        code: 'SCHEMA_FORMAT',
        severity: 'error',
        // Neither value is repeated: a misplaced value may be a secret.
        message: `${quoted(field)} is neither the ${quoted(kind.below.parent)} of the ${parent.kind.name} nor a name that ends in it`,
        at: node.at([field]),
        hint: `write the whole name, such as ${quoted('db.example.com')} where the ${quoted(kind.below.parent)} is ${quoted('example.com')}`,
      },
    ];
  });
}

function nameInAccount({ kind, key }: Desired, { unique, depth }: Kind): string | undefined {
  const isNested = unique === 'account' && depth > 1 && idInKey(key) === null;
  return isNested ? `${kind} ${segmentsOf(key, depth)?.at(-1)}` : undefined;
}

function duplicate(
  object: Declared,
  message: string,
  first: Declared,
  code: Diagnostic['code'],
): Diagnostic {
  const at = nameSpan(object);
  const hint = `the first is at ${placeText(nameSpan(first))}`;
  return { code, severity: 'error', message, at, hint };
}

const nameSpan = ({ kind, desired, node }: Declared): Span =>
  node.at(namePath(kind, desired.fields));

function sharedIds(declared: readonly Declared[]): Diagnostic[] {
  const first = new Map<string, Declared>();
  return declared.flatMap((object): Diagnostic[] => {
    const { kind, lifecycle } = object.desired;
    if (typeof lifecycle.id !== 'string') return [];
    const other = first.get(`${kind} ${lifecycle.id}`);
    if (!other) {
      first.set(`${kind} ${lifecycle.id}`, object);
      return [];
    }
    const { node } = object;
    const at = node.at(['lifecycle', 'id']);
    const message = `this id is already bound by ${addressOf(kind, other.desired.key)}`;
    const hint = `the first is at ${placeText(other.node.at(['lifecycle', 'id']))}`;
    return [{ code: 'OBJECT_DUPLICATE', severity: 'error', message, at, hint }];
  });
}

// Reports former names that another declared object still has. Objects are paired by name first, so nothing is renamed while that
// object is declared. If objects exchange their names, a run cannot know whether the exchange has already happened.
function formerNamesInUse(
  declared: readonly Declared[],
  severityOfCircle: Diagnostic['severity'],
): Diagnostic[] {
  const byAddress = new Map(
    declared.map(object => [addressOf(object.desired.kind, object.desired.key), object]),
  );
  const holderOf = ({ kind, desired }: Declared): Declared | undefined => {
    const { was, id } = desired.lifecycle;
    if (typeof was !== 'string' || id !== undefined) return undefined;
    return formerKeys(kind, desired.parent, was)
      .filter(key => key !== desired.key)
      .flatMap(key => byAddress.get(addressOf(desired.kind, key)) ?? [])
      .at(0);
  };
  return declared.flatMap((object): Diagnostic[] => {
    const holder = holderOf(object);
    if (holder === undefined) return [];
    const former = addressOf(holder.desired.kind, holder.desired.key);
    const isCircle = isInCircle(object, holderOf);
    return [
      {
        code: 'LIFECYCLE_IGNORED',
        severity: isCircle ? severityOfCircle : 'warning',
        message: isCircle
          ? `objects that exchange their names cannot be told apart by their former names: ${former} is declared with a former name, too`
          : `cannot rename: ${former} is still declared`,
        at: object.node.at(['lifecycle', 'was']),
        hint: isCircle
          ? 'bind each of these objects with lifecycle.id instead: an id means the same object after the exchange'
          : holder.desired.isProvided
            ? `rename first: leave ${former} out of the files, apply, and declare it again in a later run`
            : 'to swap two names, bind both objects with lifecycle.id',
      },
    ];
  });
}

function isInCircle(
  object: Declared,
  holderOf: (object: Declared) => Declared | undefined,
): boolean {
  const seen = new Set<Declared>();
  for (let next = holderOf(object); next && !seen.has(next); next = holderOf(next)) {
    if (next === object) return true;
    seen.add(next);
  }
  return false;
}
