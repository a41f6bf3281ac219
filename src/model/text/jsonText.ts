// JSON as text for printing and storing: values stay exact, and characters that a terminal or a log would interpret are
// escaped.
import type { Json } from '../value.ts';
import { visible, visibleLines } from './visible.ts';

/** A document, indented, with a line feed at its end. */
export function jsonText(document: unknown): string {
  return `${visibleLines(JSON.stringify(document, null, 2))}\n`;
}

/** A document on one line, with a line feed at its end. */
export function jsonLine(document: unknown): string {
  return `${visible(JSON.stringify(document))}\n`;
}

/** Parses a text; undefined if it is not JSON. */
export function jsonOf(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
