// One end of a record: the object that the server names, its address, and its DNS label.
import { parseIp } from '../../kinds/values/ip.ts';
import { isObject, type Json } from '../../model/value.ts';

/** An end of a record. */
export interface RecordEnd {
  readonly type: 'machine' | 'resource' | 'unknown';
  /** The id of the machine or resource; empty for other ends. */
  readonly id: string;
  /** The address or name in the record; empty if it has none. */
  readonly host: string;
  /** The port as in the record, even if no protocol has this port. */
  readonly port: number | null;
  /** The DNS label by which the end was called; empty if there is none. */
  readonly label: string;
}

/** The field of the log that contains the DNS label of an end. */
const LABEL = 'dns_label';

/** Parses an end. If it is absent, nothing is known about the end. */
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
  const [, bracketed, plain, port] = /^(?:\[([^\]]*)\]|(.*?))(?::(-?\d+))?$/.exec(text) ?? [];
  const host = bracketed ?? plain ?? '';
  return { host, port: port === undefined ? null : Number(port) };
}

/** The text of a field; empty if it is not a text. Ids may be numbers. */
export const textOf = (value: Json | undefined): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';
