// Reads the pages from the repository around the site.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { linksIn, sectionsFor, slugOf, withPictures, withSiteLinks } from './pages.ts';

// npm scripts run in the folder of the site. The place of this file does not help: the build moves it.
const ROOT = join(process.cwd(), '..');

export interface SitePage {
  readonly path: string;
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  readonly body: string;
}

export function fileOf(path: string): string {
  return join(ROOT, path);
}

export const textOf = (path: string): string => readFileSync(fileOf(path), 'utf8');

const inDocs = readdirSync(fileOf('docs'))
  .filter(name => name.endsWith('.md'))
  .map(name => `docs/${name}`);

/** The sidebar. */
export const sections = sectionsFor(inDocs);

const paths = sections.flatMap(({ pages }) => pages);

/** The pages as the site shows them. */
export const sitePages = (): SitePage[] => paths.map(sitePage);

function sitePage(path: string): SitePage {
  const [, title = '', body = ''] = /^# (.+)\n+([\s\S]*)$/.exec(textOf(path)) ?? [];
  if (title === '') throw new Error(`${path} does not begin with a heading`);
  // Comments are marks for tests.
  const shown = body.replaceAll(/^<!--[\s\S]*?-->\n+/gm, '');
  return {
    path,
    slug: slugOf(path) ?? '',
    title,
    description: descriptionOf(shown),
    body: withPictures(withSiteLinks(path, shown)),
  };
}

/** The first sentence of a page as plain text. */
function descriptionOf(body: string): string {
  const [paragraph = ''] = body.split('\n\n', 1);
  const plain = paragraph
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]/g, '')
    .replaceAll(/\s+/g, ' ');
  return /^.*?[.:](?= |$)/.exec(plain)?.[0] ?? plain;
}

/** Files that are no pages but that pages link to: the site serves them as they are. */
export const linkedFiles = (): string[] => [
  ...new Set(
    paths
      .flatMap(path => linksIn(path, textOf(path)))
      .map(({ path }) => path)
      .filter(path => slugOf(path) === null),
  ),
];
