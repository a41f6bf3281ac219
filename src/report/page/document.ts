// An access page as a single HTML file: it loads nothing, and runs no script or style but our own.
import { createHash } from 'node:crypto';
import type { AccessPicture } from '../../model/access/accessPicture.ts';
import { jsonLine } from '../../model/text/jsonText.ts';
import { type Content, element, type Markup, raw } from '../graph/markup.ts';
import { SVG_STYLE } from '../graph/svg.ts';
import { blockedSection } from './blocked.ts';
import { matrixData } from './data.ts';
import { matrixSection } from './matrix.ts';
import { networksSection } from './networks.ts';
import { policiesSection } from './policies.ts';
import type { Section } from './section.ts';

/** The script and the style of every page. */
export interface PageAssets {
  readonly script: string;
  readonly style: string;
}

export interface PageContent {
  /** `Plan`, `Access`. */
  readonly title: string;
  /** What was judged, and on which server, in a sentence. */
  readonly about: string;
  readonly picture: AccessPicture;
  /** Sections before the matrix. */
  readonly first?: readonly Section[];
}

const GENERATOR = 'meshform';
const BEGINNING = `<!doctype html>\n<html lang="en"><head>\n<meta charset="utf-8">\n<meta name="generator" content="${GENERATOR}">\n`;

/** Whether a text is a page written by this file. */
export const isPage = (text: string): boolean => text.startsWith(BEGINNING);

/** The page as a file. */
export function pageText(content: PageContent, assets: PageAssets): string {
  const { title, about, picture, first = [] } = content;
  const style = `\n${assets.style}${SVG_STYLE}`;
  const script = `\n${assets.script}`;
  const sections = [
    ...first,
    matrixSection(picture),
    blockedSection(picture),
    policiesSection(picture),
    networksSection(picture),
  ];
  const head = [
    element('meta', { 'http-equiv': 'Content-Security-Policy', content: policyFor(script, style) }),
    element('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    element('meta', { name: 'color-scheme', content: 'light dark' }),
    element('meta', { name: 'referrer', content: 'no-referrer' }),
    element('title', {}, `${title} · meshform`),
    raw('style', {}, style),
  ];
  const body = element(
    'body',
    {},
    element('header', {}, element('h1', {}, title), element('p', {}, about), unread(picture)),
    menu(sections),
    element('main', {}, ...sections.map(sectionOf)),
    raw('script', { type: 'application/json', id: 'data' }, jsonInHtml(matrixData(picture.matrix))),
    raw('script', { type: 'module' }, script),
  );
  const inHead = head.map(({ markup }) => markup).join('');
  return `${BEGINNING}${inHead}</head>\n${body.markup}</html>\n`;
}

function sectionOf({ id, title, content }: Section): Markup {
  const heading = element('h2', { id: `${id}-title` }, title);
  return element('section', { id, 'aria-labelledby': `${id}-title` }, heading, content);
}

function menu(sections: readonly Section[]): Markup {
  const links = sections.map(({ id, title }) =>
    element('li', {}, element('a', { href: `#${id}` }, title)),
  );
  return element('nav', { 'aria-label': 'Parts of this page' }, element('ul', {}, ...links));
}

function unread({ unread: lists }: AccessPicture): Content {
  return lists.map(text =>
    element(
      'p',
      { class: 'warning' },
      element('strong', {}, 'Not read: '),
      `${text}. Access that depends on it is missing from this page.`,
    ),
  );
}

// A content security policy: everything that it does not name is forbidden, so no address is loaded and no form is sent.
function policyFor(script: string, style: string): string {
  return [
    "default-src 'none'",
    `script-src 'sha256-${hashOf(script)}'`,
    `style-src 'sha256-${hashOf(style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64');

/** JSON that cannot end a script element or begin a comment in it. Parsing returns the exact value. */
export function jsonInHtml(value: unknown): string {
  return jsonLine(value).replaceAll(/[<>&]/g, mark => `\\u00${mark.charCodeAt(0).toString(16)}`);
}
