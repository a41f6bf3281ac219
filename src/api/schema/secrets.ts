// Finds the secrets of a body according to the contract, and removes them. The name of a field does not matter.
import { type DocumentNode, flagAt, type NodeObject, textAt } from '../../contract/document.ts';
import { addAll } from '../../model/text/longLists.ts';
import { isList, isObject, type Json } from '../../model/value.ts';
import { pointerBelow } from './pointer.ts';
import { memberOf, partsOf, propertiesOf } from './walk.ts';

/** The path of a value: names of fields, and `*` for any entry of a list or map. */
export type Steps = readonly string[];

/** The text that replaces a secret. */
const HIDDEN = '(secret)';

/** A body without its secrets. */
export interface Redacted {
  readonly body: Json;
  /** JSON pointers to the hidden values. */
  readonly hidden: readonly string[];
  /** Every hidden text. */
  readonly texts: readonly string[];
}

/** Whether a value of this schema is a secret. */
export function isSecretNode(schema: DocumentNode): boolean {
  return (
    flagAt(schema, 'writeOnly') ||
    flagAt(schema, 'x-secret') ||
    textAt(schema, 'format') === 'password'
  );
}

/** The secrets within a value of this schema. */
export function secretsOf(document: NodeObject, schema: DocumentNode): readonly Steps[] {
  if (isSecretNode(schema)) return [[]];
  const member = memberOf(document, schema);
  const forms = partsOf(document, schema, 'anyOf');
  return [
    ...(member === undefined ? [] : below('*', secretsOf(document, member))),
    ...propertiesOf(document, schema).flatMap(({ name, node }) =>
      below(name, secretsOf(document, node)),
    ),
    ...forms.flatMap(form => secretsOf(document, form)),
  ];
}

/** The body with all its secrets hidden. Empty values are not secret. */
export function redacted(body: Json, secrets: readonly Steps[]): Redacted {
  const hidden: string[] = [];
  const texts: string[] = [];
  const hide = (value: Json, within: readonly Steps[], at: string): Json => {
    if (within.length === 0 || value === null || value === '') return value;
    if (within.some(steps => steps.length === 0)) {
      hidden.push(at);
      addAll(texts, textsIn(value));
      return HIDDEN;
    }
    if (isList(value))
      return value.map((item, i) => hide(item, within.map(intoMember), pointerBelow(at, i)));
    if (!isObject(value)) return value;
    const fields = Object.entries(value).map(([name, item]) => {
      const inner = within.flatMap(steps => intoField(steps, name));
      return [name, hide(item, inner, pointerBelow(at, name))] as const;
    });
    return Object.fromEntries(fields);
  };
  return { body: hide(body, secrets, ''), hidden, texts };
}

// Also applies the paths inside a list or an object, because a server may return a list instead of
// an object, or an object instead of a list.
function intoMember(steps: Steps): Steps {
  return steps[0] === '*' ? steps.slice(1) : steps;
}

function intoField(steps: Steps, name: string): readonly Steps[] {
  const [first, second] = steps;
  if (first === name) return [steps.slice(1)];
  if (first !== '*') return [];
  return second === name ? [steps.slice(1), steps.slice(2)] : [steps.slice(1)];
}

function textsIn(value: Json): readonly string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(textsIn);
  return value === null ? [] : [String(value)].filter(text => text !== '');
}

const below = (name: string, inner: readonly Steps[]): Steps[] =>
  inner.map(steps => [name, ...steps]);
