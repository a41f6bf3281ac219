// A state file of OpenTofu or Terraform as a value: the objects in it, by type and id. The file is untrusted input: messages may
// contain names from it that are checked here, but none of its values.
import type { Diagnostic, Span } from '../../model/diagnostic.ts';
import { isTooDeep } from '../../model/text/depth.ts';
import { placeOf, placesIn } from '../../model/text/jsonPlaces.ts';
import { jsonOf } from '../../model/text/jsonText.ts';
import { pointer } from '../../model/text/pointer.ts';
import { isList, isObject, type Json, type JsonObject, type Path } from '../../model/value.ts';
import { type Block, readBlock, textsIn } from './block.ts';

/** What a state file holds. */
export interface StateFile {
  readonly blocks: readonly Block[];
  readonly outputs: readonly string[];
  /** Every text of the file that it marks as sensitive. */
  readonly secrets: readonly string[];
  /** The places of blocks in the file, by position. */
  readonly spansOf: (positions: readonly number[]) => ReadonlyMap<number, Span>;
}

/** A fault of a file, before it has a place. */
interface Fault {
  readonly path: Path;
  readonly message: string;
  readonly hint: string;
}

/** The format that both programs have written since 2018. */
const VERSION = 4;

/** With more faults than this, the file is probably not a state file. */
const MOST_FAULTS = 20;

const PULL = 'write the state with `tofu state pull > state.json`, and name that file';

/** Reads a state file, called `file` in messages. */
export function readStateFile(
  text: string,
  file: string,
): StateFile | { readonly faults: readonly Diagnostic[] } {
  const json = text.replace(/^\uFEFF/, '');
  const value = jsonOf(json);
  if (value === undefined) return { faults: [notJson(json, file)] };
  const whole = faultOfWhole(value);
  if (whole || !isObject(value)) return { faults: placed(json, file, [whole ?? NO_STATE]) };
  const read = listIn(value, 'resources').map((one, i) => readBlock(one, i));
  const faults = read.flatMap((one, i) =>
    'fault' in one
      ? [{ path: ['resources', String(i), ...one.path], message: one.fault, hint: one.hint }]
      : [],
  );
  if (faults.length > 0) return { faults: placed(json, file, faults.slice(0, MOST_FAULTS)) };
  const blocks = read.flatMap(one => ('fault' in one ? [] : [one]));
  const outputs = isObject(value.outputs) ? value.outputs : {};
  return {
    blocks,
    outputs: Object.keys(outputs),
    secrets: [...blocks.flatMap(({ secrets }) => secrets), ...secretOutputs(outputs)],
    spansOf: positions => spansOf(json, file, positions),
  };
}

const NO_STATE: Fault = { path: [], message: 'this is not a state file', hint: PULL };

function faultOfWhole(value: Json): Fault | undefined {
  if (!isObject(value)) return NO_STATE;
  if (isTooDeep(value)) return { ...NO_STATE, message: 'the state file is nested too deeply' };
  if (value.encrypted_data !== undefined)
    return {
      path: ['encrypted_data'],
      message: 'the state file is encrypted, and only OpenTofu can decrypt it',
      hint: 'run `tofu state pull > state.json` where OpenTofu has the key, name that file, and delete it afterwards',
    };
  if (value.format_version !== undefined)
    return {
      path: ['format_version'],
      message: 'this is the output of `show -json`, not a state file',
      hint: PULL,
    };
  return faultOfVersion(value);
}

function faultOfVersion({ version, resources, outputs, backend }: JsonObject): Fault | undefined {
  if (isObject(backend))
    return {
      path: ['backend'],
      message: 'the file only says where the state is: its backend has the objects',
      hint: PULL,
    };
  if (version === undefined) return NO_STATE;
  if (version !== VERSION) {
    const isOlder = typeof version === 'number' && version < VERSION;
    const found = typeof version === 'number' ? `version ${version}` : 'no version';
    return {
      path: ['version'],
      message: `the state file has ${found}, and only version ${VERSION} can be read`,
      hint: isOlder
        ? 'run `tofu apply -refresh-only`, which writes the state in the newest version, then `tofu state pull`'
        : PULL,
    };
  }
  if (!isList(resources))
    return { path: ['resources'], message: '`resources` must be a list', hint: PULL };
  return outputs === undefined || isObject(outputs)
    ? undefined
    : { path: ['outputs'], message: '`outputs` must be an object', hint: PULL };
}

const listIn = (value: JsonObject, name: string): readonly Json[] => {
  const found = value[name];
  return isList(found) ? found : [];
};

const secretOutputs = (outputs: JsonObject): readonly string[] =>
  Object.values(outputs).flatMap(output =>
    isObject(output) && output.sensitive === true ? textsIn(output.value ?? null) : [],
  );

// The message of the JSON parser is not repeated, because it quotes a part of the text, which may be a secret.
function notJson(text: string, file: string): Diagnostic {
  const end = { ...placeOf(text, text.length), file };
  return invalid(
    { path: [], message: 'the state file is not JSON', hint: PULL },
    positionIn(text, file) ?? end,
  );
}

function positionIn(text: string, file: string): Span | undefined {
  try {
    JSON.parse(text);
  } catch (error) {
    const [, position] = /at position (\d+)/.exec(String(error)) ?? [];
    if (position !== undefined) return { ...placeOf(text, Number(position)), file };
  }
  return undefined;
}

function placed(text: string, file: string, faults: readonly Fault[]): readonly Diagnostic[] {
  const places = placesIn(
    text,
    faults.flatMap(({ path }) => above(path)),
  );
  return faults.map(fault => {
    const found = above(fault.path).map(path => places.get(pointer(path)));
    const at = found.find(place => place !== undefined) ?? { line: 1, column: 1 };
    return invalid(fault, { ...at, file });
  });
}

/** A path and the paths above it: a missing field is reported at the place of its object. */
const above = (path: Path): readonly Path[] =>
  path.length === 0 ? [[]] : [path, ...above(path.slice(0, -1))];

const invalid = ({ message, hint }: Fault, at: Span): Diagnostic => ({
  code: 'STATE_FILE_INVALID',
  severity: 'error',
  message,
  hint,
  at,
});

function spansOf(
  text: string,
  file: string,
  positions: readonly number[],
): ReadonlyMap<number, Span> {
  const pathOf = (position: number): Path => ['resources', String(position)];
  const places = placesIn(text, positions.map(pathOf));
  return new Map(
    positions.flatMap(position => {
      const place = places.get(pointer(pathOf(position)));
      return place ? [[position, { ...place, file }] as const] : [];
    }),
  );
}
