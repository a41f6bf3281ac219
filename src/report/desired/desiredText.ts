// A file of desired state as text: YAML in one form, or JSON, optionally with the places where the values are written.
import { placeText, type Span } from '../../model/diagnostic.ts';
import { jsonText } from '../../model/text/jsonText.ts';
import { pointer } from '../../model/text/pointer.ts';
import { jsonString } from '../../model/text/visible.ts';
import { inYaml } from '../../model/text/yamlText.ts';
import { isList, isObject, type Json, type JsonObject, type Path } from '../../model/value.ts';

/** The places where values are written, by JSON pointer. */
export type Origins = ReadonlyMap<string, Span>;

const FORMAT_VERSION = '1.0';

/** The file in JSON. With `origins`, a document that contains the file and the place of every value. */
export function desiredJson(value: Json, origins: Origins | undefined): string {
  if (!origins) return jsonText(value as JsonObject);
  const places = [...origins].map(([at, span]): [string, Json] => [at, { ...span }]);
  return jsonText({
    format_version: FORMAT_VERSION,
    desired: value,
    origins: Object.fromEntries(places),
  });
}

/** The file in YAML. With `origins`, each line with a value has its place in a comment. */
export function desiredYaml(value: Json, origins: Origins | undefined): string {
  const commentOf = (path: Path): string => {
    const at = origins?.get(pointer(path));
    return at ? `  # ${placeText(at)}` : '';
  };
  return `${linesOf(value, [], commentOf).join('\n')}\n`;
}

type CommentOf = (path: Path) => string;

function linesOf(value: Json, path: Path, commentOf: CommentOf): string[] {
  if (isList(value))
    return value.flatMap((item, i) => {
      const inside = [...path, String(i)];
      const [first = '', ...others] = isPlain(item)
        ? [`${scalarText(item)}${commentOf(inside)}`]
        : linesOf(item, inside, commentOf);
      return [`- ${first}`, ...others.map(line => `  ${line}`)];
    });
  return Object.entries(isObject(value) ? value : {}).flatMap(([key, item]) => {
    const inside = [...path, key];
    const name = textOf(key);
    if (isPlain(item)) return [`${name}: ${scalarText(item)}${commentOf(inside)}`];
    return [`${name}:`, ...linesOf(item, inside, commentOf).map(line => `  ${line}`)];
  });
}

const isPlain = (value: Json): boolean =>
  isList(value) ? value.length === 0 : !isObject(value) || Object.keys(value).length === 0;

function scalarText(value: Json): string {
  if (isList(value)) return '[]';
  return isObject(value) ? '{}' : typeof value === 'string' ? textOf(value) : String(value);
}

// A text as YAML. The plain texts `.inf` and `.nan` need quotes: YAML reads them as numbers, which JSON lacks.
const textOf = (text: string): string =>
  /^\.(?:inf|nan)$/i.test(text) ? jsonString(text) : inYaml(text);
