// The frame of every page: one HTML file that loads nothing, and runs only meshform's own scripts and styles.
import { createHash } from 'node:crypto';
import { jsonLine } from '../../model/text/jsonText.ts';
import { CHANGE_STYLE } from '../graph/changeWords.ts';
import { type Content, element, type Markup, raw } from '../graph/markup.ts';
import type { Section } from './section.ts';

const GENERATOR = 'meshform';
const BEGINNING = `<!doctype html>\n<html lang="en"><head>\n<meta charset="utf-8">\n<meta name="generator" content="${GENERATOR}">\n`;

/** Whether a text is a page written by this file. */
export const isPage = (text: string): boolean => text.startsWith(BEGINNING);

/** The content of a page. */
export interface Shell {
  /** `Plan`, `Access`. */
  readonly title: string;
  /** Below the title. */
  readonly header: Content;
  readonly sections: readonly Section[];
  /** True if the script of the page shows one section at a time: its menu becomes a list of tabs. */
  readonly isTabbed?: true;
  /** Controls beside the menu that apply to several sections. */
  readonly controls?: Content;
  readonly style: string;
  /** The script of the page, and its data as JSON for HTML; `data` is absent if the script reads only the page. */
  readonly script?: { readonly text: string; readonly data?: string };
  /** Whether the script sends requests to the server of the page. */
  readonly isServed?: boolean;
}

/** The page as a file. */
export function shellText(shell: Shell): string {
  const { title, script: read } = shell;
  const { style, script } = embedded(shell);
  const head = [
    element('meta', { 'http-equiv': 'Content-Security-Policy', content: contentPolicy(shell) }),
    element('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    element('meta', { name: 'color-scheme', content: 'light dark' }),
    element('meta', { name: 'referrer', content: 'no-referrer' }),
    element('title', {}, `${title} · meshform`),
    raw('style', {}, style),
  ];
  const scripts =
    read && script !== undefined
      ? [
          ...(read.data === undefined
            ? []
            : [raw('script', { type: 'application/json', id: 'data' }, read.data)]),
          raw('script', { type: 'module' }, script),
        ]
      : [];
  const body = element('body', {}, ...frame(shell), ...scripts);
  const inHead = head.map(({ markup }) => markup).join('');
  return `${BEGINNING}${inHead}</head>\n${body.markup}</html>\n`;
}

function frame({ title, header, sections, isTabbed, controls }: Shell): readonly Markup[] {
  return [
    element('header', { class: 'masthead' }, element('h1', {}, title), header),
    element('div', barAttributes(isTabbed, controls), menu(sections, isTabbed), controls),
    element('main', {}, ...sections.map(sectionOf)),
  ];
}

// Controls must be within a landmark. A menu is a landmark itself, so only a bar with controls becomes a region.
const barAttributes = (isTabbed: boolean | undefined, controls: Content) => ({
  class: isTabbed ? 'bar' : undefined,
  ...(controls && { role: 'region', 'aria-label': 'Parts of this page, and the state they show' }),
});

/** A section with its heading. */
export function sectionOf({ id, title, content }: Section): Markup {
  const heading = element('h2', { id: `${id}-title` }, title);
  return element('section', { id, 'aria-labelledby': `${id}-title` }, heading, content);
}

function menu(sections: readonly Section[], isTabbed = false): Markup {
  const links = sections.map(({ id, title, label = title, isView }) =>
    element('li', { class: isView && 'view' }, element('a', { href: `#${id}` }, label)),
  );
  const list = element('ul', { class: isTabbed && 'tabs' }, ...links);
  return element('nav', { 'aria-label': 'Parts of this page' }, list);
}

// The texts of the elements whose hashes are in the content security policy.
function embedded({ style, script }: Shell) {
  return { style: `${CHANGE_STYLE}${style}`, script: script && `\n${script.text}` };
}

/**
 * The content security policy of a page. Everything that it does not allow is forbidden, so no address is loaded and no form is
 * sent.
 */
export function contentPolicy(shell: Shell): string {
  const { style, script } = embedded(shell);
  return [
    "default-src 'none'",
    ...(shell.isServed ? ["connect-src 'self'"] : []),
    script === undefined ? "script-src 'none'" : `script-src 'sha256-${hashOf(script)}'`,
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
