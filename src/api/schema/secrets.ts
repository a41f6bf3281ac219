// Which values the contract says are secrets, and how a body is shown without them. What a field is called decides
// nothing.
import { flagAt, type NodeObject, type Place, textAt } from '../../contract/document.ts';
import { isList, isObject, type Json } from '../../model/value.ts';
import { UNMARKED_SECRETS } from './unmarked.ts';
import { memberOf, partsOf, propertiesOf } from './walk.ts';

/** The way to a value: names of fields, and `*` for any member of a list or map. */
type Steps = readonly string[];

/** What stands where a secret was. */
const HIDDEN = '(secret)';

/** A body without its secrets. */
export interface Redacted {
  readonly body: Json;
  /** JSON pointers to what was hidden. */
  readonly hidden: readonly string[];
}

/** Whether a value of this schema is a secret. */
export function isSecretPlace(schema: Place): boolean {
  return (
    flagAt(schema, 'writeOnly') ||
    flagAt(schema, 'x-secret') ||
    textAt(schema, 'format') === 'password' ||
    UNMARKED_SECRETS.has(schema.pointer)
  );
}

/** The secrets within a value of this schema. */
export function secretsOf(document: NodeObject, schema: Place): readonly Steps[] {
  if (isSecretPlace(schema)) return [[]];
  const member = memberOf(document, schema);
  const forms = partsOf(document, schema, 'anyOf');
  return [
    ...(member === undefined ? [] : below('*', secretsOf(document, member))),
    ...propertiesOf(document, schema).flatMap(({ name, place }) =>
      below(name, secretsOf(document, place)),
    ),
    ...forms.flatMap(form => secretsOf(document, form)),
  ];
}

/** The body with every one of its secrets hidden. What is empty is no secret. */
export function redacted(body: Json, secrets: readonly Steps[]): Redacted {
  const hidden: string[] = [];
  const hide = (value: Json, within: readonly Steps[], at: string): Json => {
    if (within.length === 0 || value === null || value === '') return value;
    if (within.some(steps => steps.length === 0)) {
      hidden.push(at);
      return HIDDEN;
    }
    const inner = (name: string) =>
      within.filter(([first]) => first === name || first === '*').map(([, ...rest]) => rest);
    if (isList(value)) return value.map((item, i) => hide(item, inner('*'), `${at}/${i}`));
    if (!isObject(value)) return value;
    const fields = Object.entries(value).map(
      ([name, item]) => [name, hide(item, inner(name), `${at}/${token(name)}`)] as const,
    );
    return Object.fromEntries(fields);
  };
  return { body: hide(body, secrets, ''), hidden };
}

const token = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

const below = (name: string, inner: readonly Steps[]): Steps[] =>
  inner.map(steps => [name, ...steps]);
