// One end of a record: what the server says it is, its address, and its name.
import { parseIp } from '../../kinds/values/ip.ts';
import { isObject, type Json } from '../../model/value.ts';

/** An end of a record. */
export interface RecordEnd {
  readonly type: 'machine' | 'resource' | 'unknown';
  /** The id of the machine or resource; empty for neither. */
  readonly id: string;
  /** The address or name in the record; empty if it has none. */
  readonly host: string;
  readonly port: number | null;
  /** The name by which it was called; empty if it has none. */
  readonly label: string;
}

/** The field of the log with the name of an end. */
const LABEL = 'dns_label';

/** Parses an end. Absent, it is an end of which nothing is known. */
export function recordEnd(body: Json | undefined): RecordEnd {
  const fields = isObject(body) ? body : {};
  const id = textOf(fields.id);
  return {
    type: id === '' ? 'unknown' : typeOf(textOf(fields.type)),
    id,
    ...hostAndPort(textOf(fields.address)),
    label: textOf(fields[LABEL]),
  };
}

function typeOf(word: string): RecordEnd['type'] {
  if (word === 'PEER') return 'machine';
  return word.endsWith('RESOURCE') ? 'resource' : 'unknown';
}

// `10.0.0.5:443`, `[fd00::5]:443`, or an address or a name alone.
function hostAndPort(text: string): { readonly host: string; readonly port: number | null } {
  if (parseIp(text) !== null) return { host: text, port: null };
  const [, bracketed, plain, port] = /^(?:\[([^\]]*)\]|(.*?))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = bracketed ?? plain ?? '';
  return { host, port: port === undefined ? null : Number(port) };
}

/** The text of a field; empty if it is not a text. Ids may be numbers. */
export const textOf = (value: Json | undefined): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';
