// Facts that either of two objects can declare, such as the groups of a peer. A fact that is declared on the side that is not
// sent to the server becomes a field of the object on the other side.
import type { Field, Kind, KindTable } from '../../kinds/kind.ts';
import { refsIn } from '../../kinds/values/refs.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { addressOf } from '../../model/key.ts';
import type { Address, Key } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import { quoted } from '../../model/text/visible.ts';
import { isList, type Json } from '../../model/value.ts';
import type { Declared } from './declared.ts';

/**
 * The declared objects, with every fact moved to the side that is sent to the server, and findings about facts that cannot be
 * moved.
 */
export function withMirrored(
  declared: readonly Declared[],
  kinds: KindTable,
): { readonly desired: readonly Desired[]; readonly diagnostics: readonly Diagnostic[] } {
  const facts = declared.flatMap(object => factsOf(object));
  if (facts.length === 0)
    return { desired: declared.map(({ desired }) => desired), diagnostics: [] };
  const holders = new Map(
    declared.map(({ desired }) => [addressOf(desired.kind, desired.key), desired]),
  );
  const byHolder = Map.groupBy(facts, ({ holder }) => holder);
  const diagnostics = facts.flatMap(fact => faultOf(fact, holders.get(fact.holder), kinds));
  const desired = declared.map(object => {
    const own = withoutMirrors(object.desired, object.kind);
    const facts = byHolder.get(addressOf(own.kind, own.key)) ?? [];
    return facts.reduce((holder, fact) => withMember(holder, fact), own);
  });
  return { desired, diagnostics };
}

/** The fact that `member` is in the set `field` of the object `holder`. */
interface Fact {
  readonly holder: Address;
  readonly holderKind: Desired['kind'];
  readonly field: string;
  readonly member: Key;
  readonly at: Diagnostic['at'];
}

function factsOf({ desired, kind, node }: Declared): Fact[] {
  return mirrorsOf(kind).flatMap(({ name, shape, writtenAs = '' }) =>
    refsIn(shape, desired.fields[name], [name]).map(ref => ({
      holder: addressOf(ref.kind, ref.key as Key),
      holderKind: ref.kind,
      field: writtenAs,
      member: desired.key,
      at: node.at(ref.path),
    })),
  );
}

const mirrorsOf = (kind: Kind): Field[] =>
  [...kind.shape.fields.values()].filter(({ writtenAs }) => writtenAs !== undefined);

function withoutMirrors(desired: Desired, kind: Kind): Desired {
  const names = new Set(mirrorsOf(kind).map(({ name }) => name));
  if (names.size === 0) return desired;
  const fields = Object.entries(desired.fields).filter(([name]) => !names.has(name));
  return { ...desired, fields: Object.fromEntries(fields) };
}

function withMember(holder: Desired, { field, member }: Fact): Desired {
  const members = membersIn(holder, field);
  if (members.includes(member)) return holder;
  return { ...holder, fields: { ...holder.fields, [field]: [...members, member] } };
}

const membersIn = ({ fields }: Desired, field: string): readonly Json[] => {
  const members = fields[field];
  return isList(members) ? members : [];
};

function faultOf(
  { holder, holderKind, field, member, at }: Fact,
  declared: Desired | undefined,
  kinds: KindTable,
): Diagnostic[] {
  const section = kinds.get(holderKind)?.at.replaceAll('[]', '') ?? holderKind;
  if (declared === undefined) {
    const message = `${holder} is not declared, so nothing can be added to its ${quoted(field)} here`;
    const hint = `declare it under ${quoted(section)}; built-in objects cannot be declared`;
    return [{ code: 'REF_NOT_DECLARED', severity: 'error', message, ...(at && { at }), hint }];
  }
  const isExact = declared.lifecycle.exact?.includes(field) === true;
  if (!isExact || membersIn(declared, field).includes(member)) return [];
  const message = `${holder} has exactly the ${quoted(field)} that it declares, but ${quoted(member)} is not among them`;
  const hint = 'add it there, or remove it here';
  const code = 'MEMBERSHIP_CONTRADICTED';
  return [{ code, severity: 'error', message, ...(at && { at }), hint }];
}
