// The secrets of a run, and their redaction in texts: a server may repeat what it was sent.
import { largest } from '../text/longLists.ts';
import { layersOf, placeIn } from './foldedText.ts';
import type { ShownText } from './shown.ts';
import {
  afterCutsIn,
  type Part,
  partsIn,
  SHORTEST_BY_CHANCE,
  type Sought,
  soughtOf,
  wholesIn,
} from './soughtSecret.ts';

/** The text that replaces a secret. */
const REDACTED = '(secret)';

/** The minimum length of a secret. Shorter secrets reveal nothing, and redacting them would remove letters from words. */
export const SHORTEST = 4;

/**
 * Tokens of the API. A token in an unexpected place is treated as a secret, although nothing declares it
 * (docs/server-behaviour.md).
 */
const TOKENS = /\bnb[pisx]_[a-z\d]{8,}/gi;

/** The known secrets. The set only grows. */
export class KnownSecrets {
  /** The forms of the secrets, by the text of the form. */
  readonly #forms = new Map<string, Sought>();

  /** Adds a secret. Very short texts are ignored. */
  add(value: string): void {
    if (value.trim().length < SHORTEST) return;
    for (const form of soughtOf(value))
      if (!this.#forms.has(form.text)) this.#forms.set(form.text, form);
  }

  /**
   * Whether `text` is a known secret, or contains one in any spelling. Secrets that are short enough to occur by chance do not
   * count in a longer text.
   */
  isIn(text: string): boolean {
    const forms = [...this.#forms.values()];
    return layersOf(text).some(layer =>
      forms.some(form => {
        const parts = wholesIn(layer, form);
        if (form.text.length >= SHORTEST_BY_CHANCE) return parts.length > 0;
        return parts.some(([from, to]) => from === 0 && to === layer.text.length);
      }),
    );
  }

  /**
   * The text with every known secret redacted, in any spelling and case, even if only a part of it is left. Every token of the
   * API is redacted too.
   */
  redact(text: string): ShownText {
    return piecesOf(text, this.#longestPiece())
      .map(piece => this.#redactPiece(piece))
      .join('') as ShownText;
  }

  #longestPiece(): number {
    const lengths = [...this.#forms.values()].map(form => 2 * form.text.length);
    return largest(LONGEST_PIECE, lengths);
  }

  #redactPiece(text: string): string {
    const places = [...text.matchAll(TOKENS)].map(
      ({ index, 0: token }): Part => [index, index + token.length],
    );
    if (this.#forms.size > 0)
      for (const layer of layersOf(text)) {
        const afterCuts = afterCutsIn(layer);
        for (const form of this.#forms.values())
          for (const part of partsIn(layer, form, afterCuts)) places.push(placeIn(layer, part));
      }
    return without(text, places);
  }
}

/** The maximum length of a piece that is searched at once: a search needs many times the memory of its text. */
const LONGEST_PIECE = 2 ** 18;

// The text in pieces. A secret at the end of a piece is cut there, and is found as a cut secret. Most pieces end at a line end.
function piecesOf(text: string, longest: number): readonly string[] {
  const pieces: string[] = [];
  let at = 0;
  while (text.length - at > longest) {
    const line = text.lastIndexOf('\n', at + longest - 1);
    const end = line < at ? at + longest : line + 1;
    pieces.push(text.slice(at, end));
    at = end;
  }
  return [...pieces, text.slice(at)];
}

// The text with a mark in place of these parts; overlapping parts get one mark.
function without(text: string, places: readonly Part[]): string {
  const shown: string[] = [];
  let end = 0;
  for (const [from, to] of [...places].sort((a, b) => a[0] - b[0] || b[1] - a[1])) {
    if (from >= end) shown.push(text.slice(end, from), REDACTED);
    end = Math.max(end, to);
  }
  return [...shown, text.slice(end)].join('');
}
