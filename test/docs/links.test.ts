// The links of the pages lead somewhere in the repository, in the package and on the site.
import { readFileSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { linksIn, sectionsFor, slugOf, withPictures, withSiteLinks } from '../../site/src/pages.ts';
import { PAGES, pageAt, textOf } from './blocks.ts';

const links = PAGES.flatMap(page => linksIn(page, textOf(page)).map(link => ({ page, ...link })));
const named = ({ page, path, anchor }: (typeof links)[number]): string =>
  `${page} → ${path}${anchor === null ? '' : `#${anchor}`}`;

/** The anchors of a page, as GitHub and the site make them of its headings. */
function anchorsOf(page: string): ReadonlySet<string> {
  const headings = textOf(page)
    .replaceAll(/^```[\s\S]*?^```$/gm, '')
    .matchAll(/^#{1,6} (.+)$/gm);
  const seen = new Map<string, number>();
  return new Set(
    [...headings].map(([, heading = '']) => {
      const anchor = heading
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replaceAll(/[^\p{Letter}\p{Number} _-]/gu, '')
        .replaceAll(' ', '-');
      const times = seen.get(anchor) ?? 0;
      seen.set(anchor, times + 1);
      return times === 0 ? anchor : `${anchor}-${times}`;
    }),
  );
}

const isFile = (path: string): boolean =>
  statSync(pageAt(path), { throwIfNoEntry: false })?.isFile() ?? false;

test('in the repository, every link leads to a file, and every anchor to a heading', () => {
  expect(links.length).toBeGreaterThan(100);
  expect(links.filter(({ path }) => !isFile(path)).map(named)).toEqual([]);
  const anchored = links.filter(({ path, anchor }) => anchor !== null && path.endsWith('.md'));
  expect(anchored.length).toBeGreaterThan(30);
  expect(
    anchored.filter(({ path, anchor }) => !anchorsOf(path).has(anchor ?? '')).map(named),
  ).toEqual([]);
});

test('in the package, every link leads to a file that npm packs', () => {
  const { files } = JSON.parse(readFileSync(pageAt('package.json'), 'utf8'));
  const packed: readonly string[] = [...files, 'README.md', 'LICENSE', 'package.json'];
  const isPacked = (path: string) =>
    packed.some(entry => path === entry || path.startsWith(`${entry}/`));
  expect(links.filter(({ path }) => !isPacked(path)).map(named)).toEqual([]);
});

describe('on the site', () => {
  test('pictures are elements, and code that looks like a picture is code', () => {
    const text = '![a "b"](x.svg) `![c](y.svg)`\n\n```md\n![d](z.svg)\n```\n';
    expect(withPictures(text)).toBe(
      '<img alt="a &quot;b&quot;" src="x.svg"> `![c](y.svg)`\n\n```md\n![d](z.svg)\n```\n',
    );
  });

  test('every page is in the sidebar, once', () => {
    const shown = sectionsFor(PAGES).flatMap(({ pages }) => pages);
    expect(shown.toSorted()).toEqual(PAGES.toSorted());
    expect(sectionsFor(PAGES).map(({ label }) => label)).not.toContain('More');
    const slugs = shown.map(slugOf);
    expect(new Set(slugs).size).toBe(shown.length);
  });

  test('no link text is the name of a page’s file', () => {
    const texts = PAGES.flatMap(page => [...textOf(page).matchAll(/\[([^\]]+)\]\([^)]+\)/g)]);
    expect(texts.length).toBeGreaterThan(100);
    expect(texts.map(([, text = '']) => text).filter(text => /^[\w-]+\.md$/.test(text))).toEqual(
      [],
    );
  });

  test.each([
    ['README.md', '[a](docs/ci.md#two-tokens)', '[a](./ci/#two-tokens)'],
    ['docs/ci.md', '[a](access.md)', '[a](../access/)'],
    ['docs/ci.md', '[a](#two-tokens)', '[a](#two-tokens)'],
    ['docs/ci.md', '[a](../README.md#try-it)', '[a](../#try-it)'],
    ['docs/ci.md', '[a](../examples/README.md)', '[a](../examples/)'],
    ['docs/ci.md', '[a](../schemas/x.json)', '[a](../files/schemas/x.json)'],
    ['docs/ci.md', '[a](https://example.com/x.md)', '[a](https://example.com/x.md)'],
    ['docs/ci.md', '`[a](x.md)` and ``[b](`x.md)``', '`[a](x.md)` and ``[b](`x.md)``'],
    ['docs/ci.md', '```md\n[a](x.md)\n```', '```md\n[a](x.md)\n```'],
  ])('a link of %s: %s', (page, text, expected) => {
    expect(withSiteLinks(page, text)).toBe(expected);
  });
});

test('every page can be reached by links from the README', () => {
  const found = new Set(['README.md']);
  for (const page of found)
    for (const link of links)
      if (link.page === page && slugOf(link.path) !== null) found.add(link.path);
  expect([...found].toSorted()).toEqual(PAGES.toSorted());
});
