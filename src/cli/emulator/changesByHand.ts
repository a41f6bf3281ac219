// The manual changes of the demonstration: requests to the example account, read from a shipped
// file.
import type { WriteTransport } from '../../api/transport/transport.ts';
import { present } from '../../model/errors.ts';
import { jsonString } from '../../model/text/visible.ts';
import { isList, isObject, type Json, type JsonObject } from '../../model/value.ts';
import { shippedText } from '../../shipped.ts';

const CHANGES = 'assets/demo/changes-by-hand.json';

type Path = readonly string[];

/** A change to the first object of `list` whose fields equal `where`. */
interface Change {
  readonly method: 'PUT' | 'DELETE';
  readonly list: string;
  readonly where?: JsonObject;
  /** The path of the list that the PUT empties. */
  readonly empty?: Path;
  /** The paths of lists that the API returns as objects and accepts as ids. */
  readonly ids?: readonly Path[];
  /**
   * The description of the change: the text before the field that names the object, that field, and
   * the text after it.
   */
  readonly result: readonly [before: string, field: string, after: string];
}

/** Makes the changes; resolves to one line for each change. */
export async function changeByHand(account: WriteTransport): Promise<string> {
  const changes: readonly Change[] = JSON.parse(shippedText(CHANGES));
  const lines: string[] = [];
  for (const change of changes) lines.push(await made(account, change));
  return [...lines, '', ''].join('\n');
}

async function made(account: WriteTransport, change: Change): Promise<string> {
  const { method, list, result } = change;
  const object = await find(account, change);
  const path = `${list}/${object.id}`;
  await account.write(method, path, ...(method === 'PUT' ? [written(object, change)] : []));
  const [before, field, after] = result;
  return `${method.padEnd(6)} ${path}   ${before} ${jsonString(String(object[field]))} ${after}`;
}

async function find(account: WriteTransport, { list, where = {} }: Change): Promise<JsonObject> {
  const items = await account.get(list);
  const found = (isList(items) ? items.filter(isObject) : []).find(item =>
    Object.entries(where).every(([field, value]) => item[field] === value),
  );
  return present(found, `an object of ${list}`);
}

// The body in the form that the API accepts. The API returns groups as objects and accepts their
// ids. A side without groups must be omitted.
function written(object: JsonObject, { empty = [], ids = [] }: Change): Json {
  const opened = replaced(object, empty, () => []);
  const idsOf = (value: Json) =>
    isList(value) ? value.filter(isObject).map(({ id }) => id ?? null) : undefined;
  return ids.reduce<Json>((body, path) => replaced(body, path, idsOf) ?? null, opened ?? null);
}

// Replaces the value at `path` and returns the whole value. `*` matches every item of a list;
// undefined removes a field.
function replaced(
  value: Json | undefined,
  [step, ...rest]: Path,
  by: (value: Json) => Json | undefined,
): Json | undefined {
  if (step === undefined) return by(value ?? null);
  if (step === '*')
    return isList(value) ? value.map(item => replaced(item, rest, by) ?? null) : value;
  if (!isObject(value)) return value;
  const { [step]: inner, ...others } = value;
  const changed = replaced(inner, rest, by);
  return changed === undefined ? others : { ...others, [step]: changed };
}
