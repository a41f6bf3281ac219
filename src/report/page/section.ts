// The parts of a page.
import type { Content } from '../graph/markup.ts';

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
