// Members that expire, `{ name, until }`: the name replaces the member, and its expiry time is stored beside the fields.
import type { Field, ObjectShape, Shape } from '../../kinds/kind.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { MemberEnd } from '../../model/ending.ts';
import { pointer } from '../../model/text/pointer.ts';
import {
  type Fields,
  isList,
  isObject,
  type Json,
  type JsonObject,
  type Path,
} from '../../model/value.ts';
import type { FilledObject } from '../objects/externalValues.ts';
import { kindOf, quotedBriefly } from '../sentenceWords.ts';
import type { SourceNode } from '../yaml/node.ts';
import { endFault } from './times.ts';

/** An object in which names replace the members that expire. */
export interface WithEnds extends FilledObject {
  /** Absent if no member expires. */
  readonly ends?: readonly MemberEnd[];
}

/** Takes the expiry times out of the lists of an object. `shape`: the shape of its kind. */
export function withoutEnds(shape: ObjectShape, node: SourceNode, filled: FilledObject): WithEnds {
  const found: MemberEnd[] = [];
  const diagnostics: Diagnostic[] = [];
  const unfilled = new Set(filled.unfilled);
  const taken = (item: JsonObject, path: Path, field: Field | undefined): Json => {
    const faults = memberFaults(item, field);
    const { name, until } = item;
    const at = node.at(path);
    if (faults.length === 0)
      found.push({ list: path.slice(0, -1), member: String(name), until: String(until), at });
    else unfilled.add(pointer(path));
    for (const { inside, ...fault } of faults) {
      const own = inside === undefined ? at : node.keyAt([...path, inside]);
      diagnostics.push({ severity: 'error', at: own, ...fault });
    }
    return typeof name === 'string' ? name : '';
  };
  const checked = mapMembers(shape, filled.checked, taken);
  // `checked` and `declared` have an expiring member at the same position.
  const declared =
    filled.declared === filled.checked
      ? checked
      : mapMembers(shape, filled.declared, ({ name }) => (typeof name === 'string' ? name : ''));
  if (checked === filled.checked) return filled;
  return {
    ...filled,
    checked,
    declared,
    unfilled,
    diagnostics: [...filled.diagnostics, ...diagnostics],
    ...(found.length > 0 && { ends: found }),
  };
}

type Take = (item: JsonObject, path: Path, field: Field | undefined) => Json;

// Returns `value` itself if none of its members is a mapping with an expiry.
function mapMembers(shape: ObjectShape, value: Fields, take: Take): Fields {
  const visit = (own: Shape, part: Json, path: Path, field: Field | undefined): Json => {
    if (own.type === 'object' && isObject(part)) return visitFields(own, part, path);
    if (own.type !== 'list' || !isList(part)) return part;
    const mapped = part.map((item, i): Json => {
      const here = [...path, String(i)];
      if (own.items.type !== 'scalar') return visit(own.items, item, here, undefined);
      return isObject(item) && (field?.ends !== undefined || item.until !== undefined)
        ? take(item, here, field)
        : item;
    });
    return mapped.every((item, i) => item === part[i]) ? part : mapped;
  };
  const visitFields = (own: ObjectShape, part: Fields, path: Path): Fields => {
    const changed = Object.entries(part).flatMap(([name, item]): [string, Json][] => {
      const field = own.fields.get(name);
      if (field === undefined || item === null || typeof item !== 'object') return [];
      const mapped = visit(field.shape, item, [...path, name], field);
      return mapped === item ? [] : [[name, mapped]];
    });
    return changed.length === 0 ? part : { ...part, ...Object.fromEntries(changed) };
  };
  return visitFields(shape, value, []);
}

type MemberFault = Pick<Diagnostic, 'code' | 'message' | 'hint'> & {
  /** The key of the faulty value in the member; absent if the member itself is faulty. */
  readonly inside?: string;
};

const FORM = 'write { name: contractors, until: 2026-12-01 }';

function memberFaults(item: JsonObject, field: Field | undefined): readonly MemberFault[] {
  if (field?.ends === undefined) {
    const message = 'members of this list cannot expire';
    const hint = 'write only the name; `meshform explain` shows which lists accept { name, until }';
    return [{ code: 'END_REFUSED', message, hint }];
  }
  const { name, until, ...others } = item;
  const unknown = Object.keys(others).map(
    (key): MemberFault => ({
      code: 'SCHEMA_UNKNOWN_FIELD',
      message: `unknown key ${quotedBriefly(key)}: a member that expires has only \`name\` and \`until\``,
      hint: FORM,
      inside: key,
    }),
  );
  return [...unknown, ...textFaults({ name, until })];
}

function textFaults(parts: Readonly<Record<string, Json | undefined>>): readonly MemberFault[] {
  return Object.entries(parts).flatMap(([key, value]): readonly MemberFault[] => {
    if (value === undefined) {
      const message = `a member that expires needs \`name\` and \`until\`; ${quotedBriefly(key)} is missing`;
      return [{ code: 'SCHEMA_MISSING_FIELD', message, hint: FORM }];
    }
    if (typeof value !== 'string' || value === '') {
      const message = `${quotedBriefly(key)} must be text, not ${value === '' ? 'empty' : kindOf(value)}`;
      return [{ code: 'SCHEMA_TYPE', message, hint: FORM, inside: key }];
    }
    if (key !== 'until') return [];
    const fault = endFault(value);
    return fault ? [{ ...fault, inside: key }] : [];
  });
}
