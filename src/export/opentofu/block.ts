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
  readonly secrets: readonly string[];
}

/** One object of a block. */
export interface Instance {
  /** Empty for a type whose objects have no id. */
  readonly id: string;
  /** Whether `for_each` or `count` made it. */
  readonly isOneOfSeveral: boolean;
  /** The attributes that hold a sensitive value. */
  readonly secretFields: readonly string[];
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
  const read = instances.flatMap((one, i) => instanceIn(one, i));
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

function instanceIn(json: Json, i: number): (Instance | BlockFault)[] {
  const at = ['instances', String(i)];
  if (!isObject(json)) return [fault('an instance must be an object', ...at)];
  // A deposed object is one that a failed apply still has to delete.
  if (json.deposed !== undefined) return [];
  const { attributes, index_key: key, dependencies } = json;
  if (!isObject(attributes))
    return [
      {
        ...fault('an instance has no `attributes`', ...at),
        hint: 'run `tofu apply -refresh-only`, which writes them, then `tofu state pull`',
      },
    ];
  const { id = '' } = attributes;
  if (typeof id !== 'string') return [fault('`id` must be a text', ...at, 'attributes', 'id')];
  return [
    {
      id,
      isOneOfSeveral: key !== undefined,
      secretFields: secretFieldsOf(json).filter(name => isFilled(ownOf(attributes, name))),
      dependencies: (isList(dependencies) ? dependencies : []).filter(isText),
    },
  ];
}

const isText = (value: Json): value is string => typeof value === 'string';

const isFilled = (value: Json | undefined): boolean =>
  value !== undefined && value !== null && value !== '';

// A name in the file may be one that every JavaScript object has, such as `constructor`.
const ownOf = (object: JsonObject, name: string): Json | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;

/** The names of the attributes that the file marks as sensitive. */
function secretFieldsOf({ sensitive_attributes: paths }: JsonObject): readonly string[] {
  if (!isList(paths)) return [];
  const names = paths.flatMap(path => {
    const first = isList(path) ? path[0] : undefined;
    return isObject(first) && isName(first.value) ? [first.value] : [];
  });
  return [...new Set(names)];
}

function secretsOf(json: Json): readonly string[] {
  if (!isObject(json) || !isObject(json.attributes)) return [];
  const { attributes } = json;
  return secretFieldsOf(json).flatMap(name => textsIn(ownOf(attributes, name) ?? null));
}

/** Every text in a value. */
export function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  if (isList(value)) return value.flatMap(textsIn);
  return isObject(value) ? Object.values(value).flatMap(textsIn) : [];
}
