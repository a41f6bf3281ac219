// Secrets that a run has come to know, and texts without them: a server may quote what it was sent.
import { largest } from './many.ts';

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
    for (const form of [value, escaped, onOneLine, encodeURIComponent(value.toWellFormed())])
      this.#forms.add(form);
  }

  /** `text` with every known secret struck out, as it is, in quotes or in an address, in whatever case. */
  strike(text: string): string {
    const forms = [...this.#forms].sort((a, b) => b.length - a.length);
    if (forms.length === 0) return text;
    const whole = text.replaceAll(new RegExp(forms.map(literal).join('|'), 'gi'), STRUCK);
    const cut = largest(
      0,
      forms.map(form => beginningAtTheEnd(whole, form)),
    );
    return cut >= TELLING ? `${whole.slice(0, -cut)}${STRUCK}` : whole;
  }
}

const literal = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');

// How much of the beginning of `form` stands at the end of `text`.
function beginningAtTheEnd(text: string, form: string): number {
  const [tail, lower] = [text.slice(-form.length).toLowerCase(), form.toLowerCase()];
  for (let start = 0; start < tail.length; start++)
    if (lower.startsWith(tail.slice(start))) return tail.length - start;
  return 0;
}
