// How an object that ends differs from its declaration: its end then takes away other access than the files gave, and nobody has
// approved that difference.
import { namingFields } from '../../kinds/identity/identity.ts';
import { itemKeys, partsIn } from '../../kinds/identity/parts.ts';
import { itemKey, keyFields } from '../../kinds/values/items.ts';
import type { FieldChange } from '../../model/change.ts';
import type { Desired, Live } from '../../model/object.ts';
import { pathName } from '../../model/text/pathName.ts';
import { quoted } from '../../model/text/visible.ts';
import { type Fields, isList, type Json } from '../../model/value.ts';
import { declaredFields } from '../pairing/planContext.ts';
import { liveItems } from '../scope/droppedParts.ts';
import type { PlanContext } from '../types/planContext.ts';
import { diffFields } from './diff.ts';

/** A note on the deletion of an object that has ended, if the account has it otherwise than it is declared; else none. */
export function endedOtherwise(
  desired: Desired,
  live: Live,
  context: PlanContext,
): readonly string[] {
  const { ended, lifecycle } = desired;
  if (!ended) return [];
  const kind = context.kind(desired.kind);
  const written = ofPart(ended.fields, live, context);
  const changes = diffFields(
    kind.shape,
    declaredFields({ ...desired, fields: written }, context),
    context.fieldsOf(live),
    {
      written,
      ignore: new Set([
        ...(lifecycle.ignore ?? []),
        ...namingFields(kind).filter(name => name !== undefined),
      ]),
      exact: new Set(),
      base: {},
    },
  );
  // Of several members, the first ones ended before.
  const gone = new Set(ended.members.flatMap(({ names }) => [...names]));
  const texts = changes.flatMap(change => changeText(change, gone));
  return texts.length === 0
    ? []
    : [`the account has it otherwise than declared: ${texts.join('; ')}`];
}

// Where the server keeps each item in an object, that object has one of the declared items.
function ofPart(fields: Fields, live: Live, { kind: kindOf, dialect }: PlanContext): Fields {
  const kind = kindOf(live.kind);
  const parts = partsIn(kind, dialect);
  const items = parts && fields[parts.list];
  if (!parts || !isList(items) || itemKeys(kind, fields).length < 2) return fields;
  const by = keyFields(kind.shape.fields.get(parts.list)?.shape) ?? [];
  const own = new Set(liveItems(kind, live).items);
  return { ...fields, [parts.list]: items.filter(item => own.has(itemKey(item, by))) };
}

function changeText(change: FieldChange, gone: ReadonlySet<string>): readonly string[] {
  const name = quoted(pathName(change.path));
  if (change.type === 'members') {
    const missing = change.added.filter(member => !gone.has(String(member)));
    return [
      ...(change.removed.length > 0 ? [`${name} also has ${namesOf(change.removed)}`] : []),
      ...(missing.length > 0 ? [`${name} is without ${namesOf(missing)}`] : []),
    ];
  }
  const { before, after } = change;
  // Texts may be secret.
  const isPlain = [before, after].every(one => one === undefined || typeof one === 'boolean');
  if (isPlain && before !== undefined && after !== undefined)
    return [`${name} is ${before}, not ${after}`];
  return [after === undefined ? `${name} was added` : `${name} differs`];
}

const namesOf = (members: readonly Json[]): string =>
  members
    .map(member => quoted(typeof member === 'string' ? member : JSON.stringify(member)))
    .join(', ');
