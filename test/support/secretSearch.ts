// A search for secrets in texts: whole and in parts, in every encoding in which an output may hold them.
import { domainToASCII } from 'node:url';

const bytesOf = (text: string): Buffer => Buffer.from(text);

const htmlOf = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

const everyByte = (text: string): string =>
  [...bytesOf(text)].map(byte => `%${byte.toString(16).padStart(2, '0')}`).join('');

/** What may become of a secret on its way into an output, by what it is called. */
export const ENCODINGS: Readonly<Record<string, (text: string) => string>> = {
  'as it is': text => text,
  'in small letters': text => text.toLowerCase(),
  'in capitals': text => text.toUpperCase(),
  'percent-encoded': text => encodeURIComponent(text.toWellFormed()),
  'percent-encoded, every byte': everyByte,
  'as base64': text => bytesOf(text).toString('base64'),
  'as base64url': text => bytesOf(text).toString('base64url'),
  'in hexadecimal digits': text => bytesOf(text).toString('hex'),
  'escaped for JSON': text => JSON.stringify(text).slice(1, -1),
  'escaped for HTML': htmlOf,
  reversed: text => [...text].reverse().join(''),
  // Other text ends where the name of a host ends.
  'in punycode': text => (/^[\p{L}\p{N}-]+$/u.test(text) && domainToASCII(text)) || text,
};

/** These depend on what is before a secret. */
const ALIGNED = new Set(['as base64', 'as base64url']);

// What is the same whatever is before and after it.
const base64s = (text: string): string[] =>
  [0, 1, 2].flatMap(before => {
    const padded = Buffer.concat([Buffer.alloc(before, 'x'), bytesOf(text), Buffer.alloc(3, 'x')]);
    const whole = padded.toString('base64');
    const end = Math.floor(((before + Buffer.byteLength(text)) * 8) / 6);
    const core = whole.slice(Math.ceil((before * 8) / 6), end);
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });

/** The shortest part of a secret that is in no output by chance. */
const SHORTEST_PART = 12;

// A text that was cut, or in which only letters and digits were kept, still has a part of the secret.
const partsOf = (secret: string): string[] =>
  (secret.match(/[a-z\d]+/gi) ?? []).flatMap(run => {
    const half = Math.floor(run.length / 2);
    if (run.length < SHORTEST_PART) return [];
    return half < SHORTEST_PART ? [run] : [run.slice(0, half), run.slice(half)];
  });

function formsOf(secret: string): readonly string[] {
  const encoded = [secret, ...partsOf(secret)].flatMap(text => [
    ...Object.entries(ENCODINGS).flatMap(([name, encode]) =>
      ALIGNED.has(name) ? [] : [encode(text)],
    ),
    ...base64s(text),
  ]);
  return [...new Set(encoded.map(form => form.toLowerCase()))];
}

const withoutBlanks = (text: string): string => text.replaceAll(/\s+/g, '');

/** The places at which one of the secrets can be read, whole or in part, in any encoding, case and line width. */
export function reported(
  traces: ReadonlyMap<string, string>,
  names: ReadonlyMap<string, string>,
): string[] {
  const wanted = [...names].map(([name, secret]) => ({
    name,
    forms: formsOf(secret),
    // A long line may be broken anywhere.
    wrapped: withoutBlanks(secret.toLowerCase()),
  }));
  return [...traces].flatMap(([trace, text]) => {
    const lower = text.toLowerCase();
    const joined = withoutBlanks(lower);
    return wanted.flatMap(({ name, forms, wrapped }) =>
      joined.includes(wrapped) || forms.some(form => lower.includes(form))
        ? [`${trace}: ${name}`]
        : [],
    );
  });
}
