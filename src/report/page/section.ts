// What a page is made of.
import type { Content } from '../graph/markup.ts';

/** A part of a page that its menu leads to. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly content: Content;
}
