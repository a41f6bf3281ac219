// Comments and pages refer only to files and headings that the repository has.
import { readdir, readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = new URL('../', import.meta.url);
const FOLDERS = ['src', 'test', 'schemas', 'docs', 'examples'];
const PAGES = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'];

interface Text {
  readonly path: string;
  readonly text: string;
}

async function textsIn(folder: string): Promise<Text[]> {
  const entries = await readdir(new URL(folder, ROOT), { recursive: true });
  return textsAt(
    entries.filter(name => /\.(?:ts|md|json|ya?ml)$/.test(name)).map(name => `${folder}/${name}`),
  );
}

const textsAt = (paths: readonly string[]): Promise<Text[]> =>
  Promise.all(
    paths.map(async path => ({ path, text: await readFile(new URL(path, ROOT), 'utf8') })),
  );

const texts = [...(await textsAt(PAGES)), ...(await Promise.all(FOLDERS.map(textsIn))).flat()];
const pages = new Map(
  texts.filter(({ path }) => path.endsWith('.md')).map(page => [page.path, page]),
);

/** The anchors of a page, as GitHub makes them of its headings. */
const anchorsOf = ({ text }: Text): Set<string> =>
  new Set(
    [...text.replaceAll(/^```.*?^```/gms, '').matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{Letter}\p{Number} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );

const isBroken = (page: string, anchor: string | undefined): boolean => {
  const target = pages.get(page);
  return target === undefined || (anchor !== undefined && !anchorsOf(target).has(anchor));
};

/** Pages, with or without an anchor, that `text` mentions by their path from the root of the repository. */
const mentionsIn = (text: string) =>
  [...text.matchAll(/(?<![\w/.-])((?:docs|src)\/[\w-]+\.md)(?:#([\w-]*))?/g)].map(
    ([written, page = '', anchor]) => ({ written, page, anchor }),
  );

/** Links to pages, from the folder of the page that has them. */
const linksIn = ({ path, text }: Text) =>
  [...text.matchAll(/\]\((?!https?:)([^)#\s]*\.md)?(?:#([\w-]+))?\)/g)].map(
    ([written, link, anchor]) => ({
      written,
      page: link === undefined ? path : posix.join(posix.dirname(path), link),
      anchor,
    }),
  );

test('every mentioned page and heading of the repository exists', () => {
  const mentioned = texts.flatMap(({ path, text }) =>
    mentionsIn(text).map(mention => ({ path, ...mention })),
  );
  expect(mentioned.length).toBeGreaterThan(200);
  expect(
    mentioned
      .filter(({ page, anchor }) => isBroken(page, anchor))
      .map(({ path, written }) => `${path}: ${written}`),
  ).toEqual([]);
});

test('every link of a page leads to a page and heading of the repository', () => {
  const links = [...pages.values()].flatMap(page =>
    linksIn(page).map(link => ({ path: page.path, ...link })),
  );
  expect(links.length).toBeGreaterThan(30);
  expect(
    links
      .filter(({ page, anchor }) => isBroken(page, anchor))
      .map(({ path, written }) => `${path}: ${written}`),
  ).toEqual([]);
});

test.each(['docs/server-behaviour.md', 'docs/server.md', 'docs/design.md'])(
  '%s has no two headings with the same anchor',
  path => {
    const page = pages.get(path);
    const headings = [...(page?.text ?? '').matchAll(/^#{1,6} (.+)$/gm)].map(([, name]) => name);
    expect(headings).not.toEqual([]);
    expect(new Set(headings).size).toBe(headings.length);
  },
);

/** Citations of pages that the repository does not have: notes by section, item or law, the specification by part. */
const FOREIGN =
  /§|\bfacts?,? (?:items? |facts? )?\d|\bfacts, (?:item|fact)|\bdesign(?:,? law| law) \d|\blessons? (?:\d|on )|\bspec(?:ification)?,? Parts? \d|\bParts? \d+(?:,| and| of the spec|\))/i;

test.each([
  '(facts §5.3)',
  'facts, item 7',
  'facts, fact 36',
  'as fact 25 has it',
  '(design law 4)',
  'design §2',
  'lessons 36',
  '(spec Part 4)',
  'Parts 4 and 8 of the specification',
  'what the facts add (§5.9)',
])('%s is recognised as a citation', citation => {
  expect(citation).toMatch(FOREIGN);
});

test('nothing refers to a page that the repository does not have', () => {
  const own = 'test/references.test.ts';
  const citing = texts
    .filter(({ path }) => path !== own)
    .flatMap(({ path, text }) =>
      text
        .split('\n')
        .flatMap((line, index) =>
          FOREIGN.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [],
        ),
    );
  expect(citing).toEqual([]);
});
