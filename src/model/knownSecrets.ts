// Secrets that a run has come to know, and texts without them: a server may quote what it was sent.
import { largest } from './many.ts';
import type { ShownText } from './shown.ts';

/** What stands where a secret stood. */
const STRUCK = '(secret)';

/** Shorter ones say nothing, and striking them would take letters out of words. */
const SHORTEST = 4;

/** So many of its first characters are enough to give a secret away at the end of a text that was cut off. */
const TELLING = 6;

/** The secrets that are known by now. It only grows. */
export class KnownSecrets {
  readonly #forms = new Set<string>();

  /** Remembers a secret. What is too short to be one is none. */
  add(value: string): void {
    if (value.length < SHORTEST) return;
    const escaped = JSON.stringify(value).slice(1, -1);
    const onOneLine = value.replaceAll(/\s+/g, ' ').trim();
    const inAddress = encodeURIComponent(value.toWellFormed());
    for (const form of [value, escaped, onOneLine, inAddress, ...base64Forms(value)])
      this.#forms.add(form);
  }

  /** `text` with every known secret struck out, as it is, in quotes, in an address or in base64, in whatever case. */
  strike(text: string): ShownText {
    const forms = [...this.#forms].sort((a, b) => b.length - a.length);
    if (forms.length === 0) return shown(text);
    const whole = text.replaceAll(new RegExp(forms.map(literal).join('|'), 'gi'), STRUCK);
    const cut = largest(
      0,
      forms.map(form => beginningAtTheEnd(whole, form)),
    );
    return shown(cut >= TELLING ? `${whole.slice(0, -cut)}${STRUCK}` : whole);
  }
}

const shown = (text: string): ShownText => text as ShownText;

/** Fewer characters of base64 may be a part of any word. */
const SHORTEST_BASE64 = 10;

// What stands before and after a text decides about its first and last characters in base64: the others are always there,
// in one of three ways.
function base64Forms(value: string): string[] {
  const bytes = new TextEncoder().encode(value);
  return [0, 1, 2].flatMap(before => {
    const padded = new Uint8Array(before + bytes.length);
    padded.set(bytes, before);
    const text = Buffer.from(padded).toString('base64');
    const whole = text.slice(Math.ceil((before * 8) / 6), Math.floor((padded.length * 8) / 6));
    if (whole.length < SHORTEST_BASE64) return [];
    return [whole, whole.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

const literal = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');

// How much of the beginning of `form` stands at the end of `text`.
function beginningAtTheEnd(text: string, form: string): number {
  const [tail, lower] = [text.slice(-form.length).toLowerCase(), form.toLowerCase()];
  for (let start = 0; start < tail.length; start++)
    if (lower.startsWith(tail.slice(start))) return tail.length - start;
  return 0;
}
