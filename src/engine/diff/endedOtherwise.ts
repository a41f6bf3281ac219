// The differences between an ended object and its declaration. If there are any, deleting the
// object removes other access than the files granted. Nobody has approved that removal.
import { namingFields } from '../../kinds/identity/identity.ts';
import { itemKeys, partsIn } from '../../kinds/identity/parts.ts';
import { itemKey, keyFields } from '../../kinds/values/items.ts';
import type { EndedChange, FieldChange } from '../../model/change.ts';
import type { Ended } from '../../model/ending.ts';
import type { Desired, Live } from '../../model/object.ts';
import { pathName } from '../../model/text/pathName.ts';
import { quoted } from '../../model/text/visible.ts';
import { type Fields, isList, type Json } from '../../model/value.ts';
import { declaredFields } from '../pairing/planContext.ts';
import { liveItems } from '../scope/droppedParts.ts';
import type { PlanContext } from '../types/planContext.ts';
import { diffFields } from './diff.ts';

/** The differences that the deletion of an ended object reports; undefined for any other object. */
export function endedChange(
  desired: Desired,
  live: Live,
  context: PlanContext,
): EndedChange | undefined {
  const { ended } = desired;
  if (!ended) return undefined;
  const otherwise = differences(desired, ended, { live, context });
  // If several members have ended, all of them except the last ended before the object.
  const gone = new Set(ended.members.flatMap(({ names }) => [...names]));
  const texts = otherwise.flatMap(change => changeText(change, gone));
  return {
    key: desired.part?.whole ?? desired.key,
    isRenamed: desired.key !== context.keyOf(live),
    otherwise,
    notes: [
      endNote(desired),
      ...(texts.length > 0
        ? [`in the account it differs from its declaration: ${texts.join('; ')}`]
        : []),
    ],
  };
}

/** The end time of an object, in words. */
export const endNote = ({ lifecycle: { until } }: Desired): string =>
  until === undefined ? 'every member of a side has ended' : `has ended: until ${until}`;

function differences(
  desired: Desired,
  ended: Ended,
  { live, context }: { readonly live: Live; readonly context: PlanContext },
): readonly FieldChange[] {
  const { lifecycle } = desired;
  const kind = context.kind(desired.kind);
  const written = ofPart(ended.fields, live, context);
  return diffFields(
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
}

// The declared fields of one part. If the server stores each item as an object, one object has only one of the declared items.
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
  // A text may be secret, so only booleans are shown.
  const isPlain = [before, after].every(one => one === undefined || typeof one === 'boolean');
  if (isPlain && before !== undefined && after !== undefined)
    return [`${name} is ${before}, not ${after}`];
  return [after === undefined ? `${name} was added` : `${name} differs`];
}

const namesOf = (members: readonly Json[]): string =>
  members
    .map(member => quoted(typeof member === 'string' ? member : JSON.stringify(member)))
    .join(', ');
