// One resource block of a state file: its address, and the ids of its objects.
import { isList, isObject, type Json, type JsonObject, type Path } from '../../model/value.ts';

/** A `resource` or `data` block, whose address is safe to print: its names are names of the language. */
export interface Block {
  /** Its index in the file. */
  readonly position: number;
  readonly isData: boolean;
  readonly type: string;
  /** Its address with the module, and without the keys of instances: `module.office.netbird_group.laptops`. */
  readonly address: string;
  /** The last part of the provider's source, such as `netbird`; empty if the file has none. */
  readonly provider: string;
  readonly instances: readonly Instance[];
  /** The ids of the objects that a failed apply still has to delete; empty for an object whose id the file does not have. */
  readonly deposed: readonly string[];
  /** The texts that the file marks as sensitive. */
  readonly secrets: readonly string[];
}

/** One object of a block. */
export interface Instance {
  /** Empty for an object of a type without ids. */
  readonly id: string;
  /** Whether `for_each` or `count` made it. */
  readonly isOneOfSeveral: boolean;
  readonly attributes: JsonObject;
  /** The paths of the attributes that the file marks as sensitive. */
  readonly sensitive: readonly Path[];
  /** The addresses of the blocks that its block refers to. */
  readonly dependencies: readonly string[];
}

interface BlockFault {
  readonly path: Path;
  readonly fault: string;
  readonly hint: string;
}

const HAND = 'a state file is not written by hand: get it again with `tofu state pull`';

const fault = (message: string, ...path: string[]): BlockFault => ({
  path,
  fault: message,
  hint: HAND,
});

/** Reads the block at `position`. */
export function readBlock(json: Json, position: number): Block | BlockFault {
  if (!isObject(json)) return fault('a resource must be an object');
  const { mode, type, name, module, provider, instances } = json;
  if (mode !== 'managed' && mode !== 'data')
    return fault('`mode` must be "managed" or "data"', 'mode');
  if (!isName(type)) return fault('`type` must be the name of a resource type', 'type');
  if (!isName(name)) return fault('`name` must be a name', 'name');
  const inside = module === undefined ? '' : modulePath(module);
  if (inside === undefined) return fault('`module` must be the address of a module', 'module');
  if (!isList(instances)) return fault('`instances` must be a list', 'instances');
  const read = instances.flatMap((one, i) => (isDeposed(one) ? [] : [instanceIn(one, i)]));
  const bad = read.find(one => 'fault' in one);
  if (bad) return bad;
  const isData = mode === 'data';
  return {
    position,
    isData,
    type,
    address: `${inside}${isData ? 'data.' : ''}${type}.${name}`,
    provider: providerIn(provider),
    instances: read.flatMap(one => ('fault' in one ? [] : [one])),
    deposed: instances.filter(isDeposed).map(idOfDeposed),
    secrets: instances.flatMap(secretsOf),
  };
}

/** A name as the language allows it, so that it can be written into a configuration. */
const isName = (value: Json | undefined): value is string =>
  typeof value === 'string' && NAME.test(value);

const WORD = String.raw`[A-Za-z_][A-Za-z0-9_\-]*`;
const NAME = new RegExp(`^${WORD}$`);
const MODULES = new RegExp(String.raw`^(?:module\.${WORD}\.)*module\.${WORD}$`);
const KEYS = /\[(?:\d+|"(?:[^"\\]|\\.){0,1000}")\]/g;

// `removed` blocks take addresses without the keys of instances.
function modulePath(module: Json): string | undefined {
  if (typeof module !== 'string') return undefined;
  const plain = module.replaceAll(KEYS, '');
  return MODULES.test(plain) ? `${plain}.` : undefined;
}

function providerIn(provider: Json | undefined): string {
  if (typeof provider !== 'string') return '';
  const [, source, short] = /provider(?:\["([^"]*)"\]|\.([\w-]+))/.exec(provider) ?? [];
  return source?.split('/').at(-1) ?? short ?? '';
}

const isDeposed = (json: Json): boolean => isObject(json) && json.deposed !== undefined;

function idOfDeposed(json: Json): string {
  const { attributes = null } = isObject(json) ? json : {};
  const id = isObject(attributes) ? attributes.id : undefined;
  return typeof id === 'string' ? id : '';
}

function instanceIn(json: Json, i: number): Instance | BlockFault {
  const at = ['instances', String(i)];
  if (!isObject(json)) return fault('an instance must be an object', ...at);
  const { attributes, index_key: key, dependencies } = json;
  if (!isObject(attributes))
    return {
      ...fault('an instance has no `attributes`', ...at),
      hint: 'run `tofu apply -refresh-only`, which writes them, then `tofu state pull`',
    };
  const { id = '' } = attributes;
  if (typeof id !== 'string') return fault('`id` must be a text', ...at, 'attributes', 'id');
  return {
    id,
    isOneOfSeveral: key !== undefined,
    attributes,
    sensitive: sensitivePaths(json),
    dependencies: (isList(dependencies) ? dependencies : []).filter(isText),
  };
}

const isText = (value: Json): value is string => typeof value === 'string';

/** The value at a path in the attributes of an instance. */
export const valueOfAttribute = (attributes: JsonObject, path: Path): Json | undefined =>
  path.reduce((value: Json | undefined, step) => ownOf(value, step), attributes);

// Reads only own properties: a name in the file may be one that every JavaScript object inherits, such as `constructor`.
function ownOf(value: Json | undefined, name: string): Json | undefined {
  if (isList(value)) return Object.hasOwn(value, name) ? value[Number(name)] : undefined;
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function sensitivePaths({ sensitive_attributes: paths }: JsonObject): readonly Path[] {
  if (!isList(paths)) return [];
  const read = paths.map(path => (isList(path) ? knownSteps(path) : []));
  return read.filter(path => path.length > 0);
}

// A step that cannot be read makes everything before it sensitive.
function knownSteps(path: readonly Json[]): Path {
  const steps = path.map(stepIn);
  const end = steps.indexOf('');
  return end < 0 ? steps : steps.slice(0, end);
}

// `{ "type": "get_attr", "value": "auth" }`, or `{ "type": "index", "value": { "value": 0, "type": "number" } }`.
function stepIn(step: Json): string {
  const value = isObject(step) ? step.value : undefined;
  const inner = isObject(value) ? value.value : value;
  return typeof inner === 'string' || typeof inner === 'number' ? String(inner) : '';
}

function secretsOf(json: Json): readonly string[] {
  if (!isObject(json) || !isObject(json.attributes)) return [];
  const { attributes } = json;
  return sensitivePaths(json).flatMap(path => textsIn(markedValue(attributes, path)));
}

// The value at the path of a sensitive attribute; if the path leads nowhere, the whole attribute counts as sensitive.
const markedValue = (attributes: JsonObject, path: Path): Json =>
  valueOfAttribute(attributes, path) ?? valueOfAttribute(attributes, path.slice(0, 1)) ?? null;

/** Every text in a value. */
export function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  if (isList(value)) return value.flatMap(textsIn);
  return isObject(value) ? Object.values(value).flatMap(textsIn) : [];
}
