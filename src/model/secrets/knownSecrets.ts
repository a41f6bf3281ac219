// Secrets that a run has come to know, and texts without them: a server may quote what it was sent.
import { largest } from '../text/many.ts';
import { visible } from '../text/visible.ts';
import type { ShownText } from './shown.ts';

/** What stands where a secret stood. */
const REDACTED = '(secret)';

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
    const address = encodeURIComponent(value.toWellFormed());
    const forms = [value, escaped, onOneLine, visible(value), address, ...encodings(value)];
    for (const form of forms) this.#forms.add(form);
  }

  /** `text` with every known secret redacted: as it is, in quotes, in an address or encoded, in whatever case. */
  redact(text: string): ShownText {
    const forms = [...this.#forms].sort((a, b) => b.length - a.length);
    if (forms.length === 0) return shown(text);
    const whole = text.replaceAll(new RegExp(forms.map(literal).join('|'), 'gi'), REDACTED);
    const cut = largest(
      0,
      forms.map(form => beginningAtTheEnd(whole, form)),
    );
    return shown(cut >= TELLING ? `${whole.slice(0, -cut)}${REDACTED}` : whole);
  }
}

/** The encodings of shorter ones may be a part of any text. */
const SHORTEST_ENCODED = 8;

// Base64 of a text in which the secret stands depends on how many bytes are before it: the characters that do are left out.
function encodings(value: string): string[] {
  const bytes = new TextEncoder().encode(value);
  if (bytes.length < SHORTEST_ENCODED) return [];
  const hexadecimal = [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('');
  const inBase64 = [0, 1, 2].map(before => {
    const binary = '\0'.repeat(before) + bytesText(bytes);
    const text = btoa(binary);
    const [first, spare] = [Math.ceil((before * 4) / 3), (before + bytes.length) % 3];
    return text.slice(first, spare === 0 ? undefined : spare === 1 ? -3 : -2);
  });
  const inAddresses = inBase64.map(text => text.replaceAll('+', '-').replaceAll('/', '_'));
  return [hexadecimal, ...inBase64, ...inAddresses];
}

const bytesText = (bytes: Uint8Array): string =>
  [...bytes].map(byte => String.fromCharCode(byte)).join('');

const shown = (text: string): ShownText => text as ShownText;

const literal = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');

// How much of the beginning of `form` stands at the end of `text`.
function beginningAtTheEnd(text: string, form: string): number {
  const [tail, lower] = [text.slice(-form.length).toLowerCase(), form.toLowerCase()];
  for (let start = 0; start < tail.length; start++)
    if (lower.startsWith(tail.slice(start))) return tail.length - start;
  return 0;
}
