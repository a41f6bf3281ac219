// What people do in a dashboard: they rename, exchange and copy objects, delete them, and enrol machines again.
import { isList, isObject, type Json, type JsonObject } from '../../../src/model/value.ts';
import type { TestAccount } from '../../support/account.ts';

/** The name field of the objects in a list of the API. */
const NAME_FIELD: Readonly<Record<string, string>> = { '/api/routes': 'network_id' };

/** Machines have few fields that can be written, and their writes need all of them. */
const PEERS = '/api/peers';

const isReference = (value: Json): value is JsonObject =>
  isObject(value) && typeof value.id === 'string' && 'name' in value;

// Answers have objects where requests have ids.
function asWritten(name: string, value: Json): Json {
  if (name === 'resources') return value;
  if (isList(value))
    return value.map(item =>
      isReference(item) && !('action' in item) ? String(item.id) : asWritten('', item),
    );
  if (!isObject(value)) return value;
  const own = Object.entries(value).filter(([, item]) => item !== null);
  return Object.fromEntries(own.map(([key, item]) => [key, asWritten(key, item)]));
}

export class ByHand {
  readonly #account: TestAccount;

  constructor(account: TestAccount) {
    this.#account = account;
  }

  get dialect(): string {
    return this.#account.server.dialect;
  }

  async list(path: string): Promise<readonly JsonObject[]> {
    return (await this.#account.call('GET', path)) as JsonObject[];
  }

  /** The only object called `name` in the list at `path`. */
  async find(path: string, name: string): Promise<JsonObject> {
    const found = (await this.list(path)).filter(one => one[nameField(path)] === name);
    if (found.length !== 1)
      throw new Error(`${found.length} objects are called ${name} at ${path}`);
    return found[0] as JsonObject;
  }

  async rename(path: string, name: string, to: string): Promise<string> {
    const found = await this.find(path, name);
    await this.change(path, found, { [nameField(path)]: to });
    return String(found.id);
  }

  /** Writes an object with other values. */
  async change(path: string, object: JsonObject, values: JsonObject): Promise<void> {
    const whole = path === PEERS ? machine(object) : bodyOf(object);
    await this.#account.call('PUT', `${path}/${object.id}`, { ...whole, ...values });
  }

  /** Every object gets the name of the next one. */
  async rotate(path: string, names: readonly string[]): Promise<void> {
    const objects: JsonObject[] = [];
    for (const name of names) objects.push(await this.find(path, name));
    await this.rotateObjects(path, objects);
  }

  async rotateObjects(path: string, objects: readonly JsonObject[]): Promise<void> {
    const field = nameField(path);
    for (const [i, object] of objects.entries())
      await this.change(path, object, { [field]: `aside-${i}` });
    for (const [i, object] of objects.entries())
      await this.change(path, object, {
        [field]: objects[(i + 1) % objects.length]?.[field] ?? '',
      });
  }

  /** Creates another object that is the same. */
  async copy(path: string, name: string, values: JsonObject = {}): Promise<void> {
    await this.copyOf(path, await this.find(path, name), values);
  }

  async copyOf(path: string, object: JsonObject, values: JsonObject = {}): Promise<void> {
    const isKey = path === '/api/setup-keys';
    const body = { ...bodyOf(object), ...(isKey && { expires_in: 86400 }), ...values };
    await this.#account.call('POST', path, body);
  }

  async remove(path: string, name: string): Promise<void> {
    await this.removeObject(path, await this.find(path, name));
  }

  async removeObject(path: string, { id }: JsonObject): Promise<void> {
    await this.#account.call('DELETE', `${path}/${id}`);
  }

  /** Deletes a machine and enrols one of its name; with its setup key, it is in the groups again. */
  async enrolAgain(name: string, isBackInGroups = true): Promise<void> {
    const { groups, ...machine } = await this.find(PEERS, name);
    await this.removeObject(PEERS, machine);
    const ids = ((groups ?? []) as JsonObject[]).filter(one => one.name !== 'All');
    await this.#account.enrol(name, isBackInGroups ? ids.map(({ id }) => String(id)) : []);
  }
}

/** The field with the name of the objects in a list. */
export const nameField = (path: string): string => NAME_FIELD[path] ?? 'name';

function bodyOf(object: JsonObject): JsonObject {
  const { id, ...rest } = object;
  return asWritten('', rest) as JsonObject;
}

const machine = ({
  name,
  ssh_enabled,
  login_expiration_enabled,
  inactivity_expiration_enabled,
}: JsonObject): JsonObject => ({
  name: name ?? '',
  ssh_enabled: ssh_enabled ?? false,
  login_expiration_enabled: login_expiration_enabled ?? false,
  inactivity_expiration_enabled: inactivity_expiration_enabled ?? false,
});
