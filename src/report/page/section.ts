// The parts of a page.
import { type Content, element, type Markup } from '../graph/markup.ts';

/** A part of a page with an entry in its menu. */
export interface Section {
  readonly id: string;
  readonly title: string;
  /** The name in the menu; absent if the title is short enough for it. */
  readonly label?: string;
  /** On a page with tabs: whether the section is one of the main views, and not an explanation. */
  readonly isView?: true;
  readonly content: Content;
}

/** Content that the script of the page collapses on a narrow screen, where it would hide the main content. */
export const folding = (summary: string, ...content: readonly Content[]): Markup =>
  element('details', { class: 'fold', open: true }, element('summary', {}, summary), ...content);
