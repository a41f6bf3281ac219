// The parts of a page.
import type { Content } from '../graph/markup.ts';

/** A part of a page with an entry in its menu. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly content: Content;
}
