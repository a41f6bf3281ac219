// The parts of a page.
import { type Content, element, type Markup } from '../graph/markup.ts';

/** A part of a page with an entry in its menu. */
export interface Section {
  readonly id: string;
  readonly title: string;
  /** Its name in the menu, if the title is too long for one. */
  readonly label?: string;
  /** Of a page with tabs: one of the views that the page is for, and not what explains them. */
  readonly isView?: true;
  readonly content: Content;
}

/** What the script of the page folds on a narrow screen, where it would push out of sight what it is about. */
export const folding = (summary: string, ...content: readonly Content[]): Markup =>
  element('details', { class: 'fold', open: true }, element('summary', {}, summary), ...content);
