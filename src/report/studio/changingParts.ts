// The parts of the page of a studio that change while it is open.
import { type Content, element, type Markup } from '../graph/markup.ts';
import type { Section } from '../page/section.ts';

/** The name of a part, which gives its place in the page. */
export type PartName = 'status' | 'findings' | 'tests' | 'difference' | 'account' | 'views';

/** The id of the element that contains a part. */
export const partId = (name: PartName): string => `part-${name}`;

/** A section that a part fills. */
export function partSection(name: PartName, title: string, before: Content = []): Section {
  const place = element('div', { id: partId(name), class: 'part' }, element('p', {}, 'Reading.'));
  return { id: name, title, content: [before, place] };
}

/** The text of a part. */
export const partText = (content: Content): string => element('div', {}, content).markup;

/** A time in UTC to the second, in the form of the account's log, which is shown beside it. */
export function moment(milliseconds: number): Markup {
  const text = new Date(milliseconds).toISOString();
  return element('time', { datetime: text }, `${text.slice(0, 19)}Z`);
}

/** Lines of text with their indentation. */
export const textLines = (lines: readonly string[]): Markup =>
  element('div', { class: 'lines' }, ...lines.map(line => element('div', {}, line)));
