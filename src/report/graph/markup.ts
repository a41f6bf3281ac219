// HTML and SVG as values. Text that others have chosen is always escaped and never becomes markup.
import { xmlAttribute } from '../text/xmlText.ts';

/** A fragment of HTML or SVG. Only this file creates them. */
export interface Markup {
  readonly markup: string;
}

/** The content of an element: text is escaped; false and undefined are left out. */
export type Content = Markup | string | false | undefined | readonly Content[];

type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Elements without an end tag. */
const VOID: ReadonlySet<string> = new Set(['meta', 'input', 'wbr']);

/** Elements that are followed by a line feed, so that the source of the document is readable. */
const BLOCK: ReadonlySet<string> = new Set([
  'body',
  'details',
  'dd',
  'div',
  'dl',
  'dt',
  'figcaption',
  'figure',
  'footer',
  'g',
  'h1',
  'h2',
  'h3',
  'head',
  'header',
  'li',
  'main',
  'meta',
  'nav',
  'ol',
  'p',
  'section',
  'summary',
  'svg',
  'table',
  'tbody',
  'thead',
  'title',
  'tr',
  'ul',
  'path',
  'rect',
  'text',
]);

/** An element with its attributes and content. */
export function element(tag: string, attributes: Attributes, ...content: Content[]): Markup {
  const end = VOID.has(tag) ? '' : `</${tag}>`;
  const lineEnd = BLOCK.has(tag) ? '\n' : '';
  return { markup: `${startTag(tag, attributes)}${textOf(content)}${end}${lineEnd}` };
}

/** An element with text of meshform's own files, which contain no names: scripts and styles. */
export function raw(tag: 'script' | 'style', attributes: Attributes, text: string): Markup {
  return { markup: `${startTag(tag, attributes)}${text}</${tag}>\n` };
}

function startTag(tag: string, attributes: Attributes): string {
  const written = Object.entries(attributes).map(([name, value]) => attribute(name, value));
  return `<${tag}${written.join('')}>`;
}

function attribute(name: string, value: Attributes[string]): string {
  if (value === undefined || value === false) return '';
  return value === true ? ` ${name}` : ` ${name}="${xmlAttribute(String(value))}"`;
}

function textOf(content: Content): string {
  if (content === undefined || content === false) return '';
  if (typeof content === 'string') return xmlAttribute(content);
  return 'markup' in content ? content.markup : content.map(textOf).join('');
}
