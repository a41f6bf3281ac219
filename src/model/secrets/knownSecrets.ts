// The secrets of a run, and texts without them: a server may repeat what it was sent.
import { largest } from '../text/many.ts';
import { visible } from '../text/visible.ts';
import type { ShownText } from './shown.ts';

/** The text that replaces a secret. */
const REDACTED = '(secret)';

/** Shorter secrets reveal nothing, and redacting them would remove letters from words. */
const SHORTEST = 4;

/** This many first characters are enough to reveal a secret at the end of a shortened text. */
const TELLING = 6;

/** Tokens of the API: one in the place of something else is a secret too, although nothing says so. docs/server-behaviour.md. */
const TOKENS = /\bnb[pisx]_[a-z\d]{8,}/gi;

/** The known secrets. The set only grows. */
export class KnownSecrets {
  readonly #forms = new Set<string>();

  /** Adds a secret. Very short texts are ignored. */
  add(value: string): void {
    if (value.trim().length < SHORTEST) return;
    const escaped = JSON.stringify(value).slice(1, -1);
    const onOneLine = value.replaceAll(/\s+/g, ' ').trim();
    const address = encodeURIComponent(value.toWellFormed());
    const forms = [value, escaped, onOneLine, visible(value), address, ...encodings(value)];
    for (const form of forms) this.#forms.add(form);
  }

  /** Whether `text` is a known secret, or has one in it that is too long to be in it by chance. */
  isIn(text: string): boolean {
    const lower = text.toLowerCase();
    return [...this.#forms].some(form => {
      const sought = form.toLowerCase();
      return form.length < SHORTEST_ENCODED ? sought === lower : lower.includes(sought);
    });
  }

  /** `text` with every known secret redacted: as it is, in quotes, in a URL or encoded, in any case; and with no token of the API. */
  redact(text: string): ShownText {
    const forms = [...this.#forms].sort((a, b) => b.length - a.length);
    const unmarked = text.replaceAll(TOKENS, REDACTED);
    if (forms.length === 0) return shown(unmarked);
    const whole = unmarked.replaceAll(new RegExp(forms.map(literal).join('|'), 'gi'), REDACTED);
    const cut = largest(
      0,
      forms.map(form => beginningAtTheEnd(whole, form)),
    );
    return shown(cut >= TELLING ? `${whole.slice(0, -cut)}${REDACTED}` : whole);
  }
}

/** The encodings of shorter secrets may be a part of any text. */
const SHORTEST_ENCODED = 8;

// The base64 of a text with a secret in it depends on the number of bytes before the secret: the affected characters
// are left out.
function encodings(value: string): string[] {
  const bytes = new TextEncoder().encode(value);
  if (bytes.length < SHORTEST_ENCODED) return [];
  const hexadecimal = [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('');
  const inBase64 = [0, 1, 2].map(before => {
    const binary = '\0'.repeat(before) + bytesText(bytes);
    const text = btoa(binary);
    const first = Math.ceil((before * 4) / 3);
    const spare = (before + bytes.length) % 3;
    return text.slice(first, spare === 0 ? undefined : spare === 1 ? -3 : -2);
  });
  const inAddresses = inBase64.map(text => text.replaceAll('+', '-').replaceAll('/', '_'));
  return [hexadecimal, ...inBase64, ...inAddresses];
}

const bytesText = (bytes: Uint8Array): string =>
  [...bytes].map(byte => String.fromCharCode(byte)).join('');

const shown = (text: string): ShownText => text as ShownText;

const literal = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');

// The length of the start of `form` at the end of `text`.
function beginningAtTheEnd(text: string, form: string): number {
  const tail = text.slice(-form.length).toLowerCase();
  const lower = form.toLowerCase();
  for (let start = 0; start < tail.length; start++)
    if (lower.startsWith(tail.slice(start))) return tail.length - start;
  return 0;
}
