// Writes names on pages and drawings as people write them, without the escapes of selectors: a
// selector escapes a slash in the name of a parent.
import type { KindTable } from '../../kinds/kind.ts';
import { partsOfAccessName } from '../../model/access/accessName.ts';
import { segmentsOf } from '../../model/key.ts';
import { rewritingTexts } from '../../model/text/rewrittenTexts.ts';
import { jsonString } from '../../model/text/visible.ts';

/** Rewrites every text in a value. */
export type Readable = <T>(value: T) => T;

/** Leaves every name as it is in selectors. */
export const AS_WRITTEN: Readable = value => value;

/**
 * Returns a function that writes the names of objects with a parent without the escapes of selectors, in every text of a value:
 * `network_resource/warehouse/botlek/wms` for `network_resource/warehouse\/botlek/wms`. The name of the object itself is in quotes
 * if it contains a slash, so the texts of two objects are never equal.
 */
export function readableNames(kinds: KindTable): Readable {
  const depths = new Map([...kinds].map(([name, { depth }]) => [String(name), depth]));
  const nested = [...depths].flatMap(([name, depth]) => (depth > 1 ? name : []));
  const name = new RegExp(
    String.raw`(?<![\p{L}\p{N}_./:@\\"-])(?:${nested.join('|')})(?:/(?:[\p{L}\p{N}_./@-]|\\/)+|\["(?:[^"\\]|\\.)*"\])`,
    'gu',
  );
  const readable = (written: string): string => {
    const { type = '', key = '' } = partsOfAccessName(written) ?? {};
    const segments = segmentsOf(key, depths.get(type) ?? 0);
    if (segments === null) return written;
    const text = joined(segments);
    return written.startsWith(`${type}/`) ? `${type}/${text}` : `${type}[${jsonString(text)}]`;
  };
  return rewritingTexts(text => (text.includes('\\') ? text.replaceAll(name, readable) : text));
}

function joined(segments: readonly string[]): string {
  const own = segments.at(-1) ?? '';
  return [...segments.slice(0, -1), /[\\/"]/.test(own) ? jsonString(own) : own].join('/');
}
