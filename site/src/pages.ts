// Which files of the repository are pages of the site, where they lie there, and where a link of a page leads. No dependencies: the
// tests of the repository check links with it.
import { posix } from 'node:path';

export interface Section {
  readonly label: string;
  readonly pages: readonly string[];
}

/** The pages in the order of the sidebar, by their paths from the root of the repository. */
const SECTIONS: readonly Section[] = [
  {
    label: 'Begin',
    pages: [
      'README.md',
      'docs/getting-started.md',
      'docs/installing.md',
      'docs/image.md',
      'docs/tokens-and-roles.md',
      'docs/adopting.md',
      'docs/from-opentofu.md',
      'docs/questions.md',
      'docs/comparison.md',
    ],
  },
  {
    label: 'Every day',
    pages: [
      'docs/desired-state.md',
      'docs/templates.md',
      'docs/what-gets-deleted.md',
      'docs/drift.md',
      'docs/access.md',
      'docs/studio.md',
      'docs/lints.md',
      'docs/tighten.md',
      'docs/secrets.md',
      'docs/recovery.md',
      'docs/ending.md',
      'docs/break-glass.md',
      'docs/observing.md',
      'docs/logs-and-api.md',
    ],
  },
  {
    label: 'Operate',
    pages: [
      'docs/ci.md',
      'docs/locks.md',
      'docs/security.md',
      'docs/github.md',
      'docs/gitlab.md',
      'docs/forgejo.md',
      'docs/policies.md',
      'docs/environments.md',
      'docs/layers.md',
      'docs/fleet.md',
      'docs/kubernetes.md',
      'docs/upgrading.md',
      'docs/emulator.md',
      'docs/server.md',
    ],
  },
  {
    label: 'Reference',
    pages: [
      'docs/commands.md',
      'docs/kinds.md',
      'docs/codes.md',
      'docs/library.md',
      'examples/README.md',
      'CHANGELOG.md',
    ],
  },
  {
    label: 'Behind it',
    pages: [
      'docs/architecture.md',
      'docs/design.md',
      'docs/proofs.md',
      'docs/server-behaviour.md',
      'docs/adding-a-kind.md',
      'docs/kind-schema.md',
    ],
  },
];

/** The sidebar for all pages of the repository. Pages that no section names come last. */
export function sectionsFor(pages: readonly string[]): readonly Section[] {
  const named = SECTIONS.flatMap(section => section.pages);
  const rest = pages.filter(page => !named.includes(page));
  return rest.length === 0 ? SECTIONS : [...SECTIONS, { label: 'More', pages: rest }];
}

const PAGE = /^(?:README|CHANGELOG|examples\/README|docs\/[\w-]+)\.md$/;

/** The part of the address of a page; empty for the first page, and null for a file that is no page. */
export function slugOf(path: string): string | null {
  if (!PAGE.test(path)) return null;
  if (path === 'README.md') return '';
  const name = path.endsWith('/README.md') ? posix.dirname(path) : posix.basename(path, '.md');
  return name.toLowerCase();
}

export interface Link {
  /** Where its target begins and ends in the text. */
  readonly span: readonly [number, number];
  /** The file that it leads to, by its path from the root; the page itself if it is only an anchor. */
  readonly path: string;
  readonly anchor: string | null;
}

// Code may look like a link: it is skipped where it begins before one.
const CODE_OR_LINK =
  /^(?<fence>```+)[\s\S]*?^\k<fence>$|(?<tick>`+)[^`][\s\S]*?\k<tick>(?!`)|\]\((?<target>[^)\s]+)\)/dgm;

/** The links of a page to other files of the repository and within itself. */
export function linksIn(page: string, text: string): Link[] {
  return [...text.matchAll(CODE_OR_LINK)].flatMap(found => {
    const { target } = found.groups ?? {};
    const span = found.indices?.groups?.target;
    if (target === undefined || span === undefined || /^[a-z]+:/.test(target)) return [];
    const [file = '', anchor = null] = target.split('#', 2);
    const path = file === '' ? page : posix.join(posix.dirname(page), file);
    return [{ span, path, anchor }];
  });
}

/** The text of a page with links that lead to pages and files of the site. */
export function withSiteLinks(page: string, text: string): string {
  return linksIn(page, text).reduceRight(
    (rest, { span: [begin, end], path, anchor }) =>
      rest.slice(0, begin) + hrefOf(page, path, anchor) + rest.slice(end),
    text,
  );
}

// Code comes first, because it may look like a picture.
const CODE_OR_PICTURE =
  /^(?<fence>```+)[\s\S]*?^\k<fence>$|(?<tick>`+)[^`][\s\S]*?\k<tick>(?!`)|!\[(?<alt>[^\]]*)\]\((?<source>[^)\s]+)\)/gm;

/** The text with its pictures as elements: the site builder looks for a picture in Markdown among its own files. */
export function withPictures(text: string): string {
  return text.replaceAll(CODE_OR_PICTURE, (whole, ...found) => {
    const { alt, source } = found.at(-1) as Readonly<Record<string, string | undefined>>;
    if (alt === undefined || source === undefined) return whole;
    return `<img alt="${alt.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}" src="${source}">`;
  });
}

// Relative, so that the site works in any folder of a server. Every page but the first lies in a folder of its own.
function hrefOf(from: string, path: string, anchor: string | null): string {
  const hash = anchor === null ? '' : `#${anchor}`;
  if (path === from) return hash === '' ? './' : hash;
  const up = slugOf(from) === '' ? './' : '../';
  const slug = slugOf(path);
  if (slug === null) return `${up}files/${path}${hash}`;
  return `${up}${slug === '' ? '' : `${slug}/`}${hash}`;
}
