// Texts as safe YAML scalars: characters that a terminal or a pipeline would interpret are escaped in double quotes.
import { Scalar, type ScalarTag, Schema } from 'yaml';
import { jsonString, visibleLines } from '../../model/text/visible.ts';
import type { Json } from '../../model/value.ts';

const OLDER = new Schema({ compat: 'yaml-1.1' }).compat ?? [];

const ESCAPED = 'ESCAPED';

/** Print settings for documents with escaped scalars. */
export const escapedTag: ScalarTag = {
  tag: 'tag:yaml.org,2002:str',
  default: true,
  format: ESCAPED,
  identify: value => typeof value === 'string',
  resolve: text => text,
  stringify: ({ value }) => yamlString(String(value)),
};

/** A text of several lines, one of which would be a pipeline command. */
const COMMAND_LINE = /^\s*::.*\n|\n\s*::/;

/** A value as a node. A text that older YAML readers would read as another type is quoted. */
export function scalarNode(value: Json): Scalar {
  return typeof value === 'string' ? textNode(value, COMMAND_LINE) : new Scalar(value);
}

/** A key as a node: the key is at the start of a line. */
export function keyNode(key: string): Scalar {
  return textNode(key, /^\s*::/m);
}

/** Whether a node is always printed on one line. */
export const isEscaped = (node: Scalar): boolean => node.format === ESCAPED;

function textNode(text: string, command: RegExp): Scalar {
  const node = new Scalar(text);
  if (visibleLines(text) !== text || command.test(text)) node.format = ESCAPED;
  else if (OLDER.some(tag => 'test' in tag && tag.test?.test(text))) node.type = 'QUOTE_DOUBLE';
  return node;
}

// A JSON string is also a YAML string, except for characters that JSON writes as surrogate pairs.
function yamlString(text: string): string {
  return jsonString(text).replaceAll(
    /\\(?:u(d[89ab][\da-f]{2})\\u(d[c-f][\da-f]{2})|.)/g,
    (whole, high?: string, low?: string) =>
      high === undefined || low === undefined ? whole : `\\U${codePoint(high, low)}`,
  );
}

function codePoint(high: string, low: string): string {
  const character = String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low, 16));
  return (character.codePointAt(0) ?? 0).toString(16).padStart(8, '0');
}
