// HTML pages: their output files, their script and their style.
import { loadSchemas } from '../../pipeline/schemas.ts';
import { readableNames } from '../../report/access/readableNames.ts';
import { signsOf } from '../../report/graph/signs.ts';
import { type PageAssets, type PageContent, pageText } from '../../report/page/document.ts';
import { isPage } from '../../report/page/shell.ts';
import { shippedText } from '../../shipped.ts';
import type { Io } from '../io.ts';
import { type Output, outputAt } from '../output.ts';

export interface PageFlags {
  readonly html?: string;
  readonly force?: boolean;
}

/**
 * The file for a page, if a flag names one; `-` is stdout. Throws a `Stop` if the file exists and
 * is not a page.
 */
export async function pageOutput(
  { html, force = false }: PageFlags,
  io: Io,
): Promise<Output | undefined> {
  if (html === undefined) return undefined;
  if (html === '-') return { write: async text => void io.stdout.write(text) };
  const kind = { name: 'the page', ours: 'a page', isOurs: isPage };
  return outputAt(html, { kind, force }, io);
}

/** Writes a page. */
export function writePage(content: PageContent, output: Output): Promise<void> {
  const { kinds } = loadSchemas();
  const named = { ...content, readable: readableNames(kinds), signs: signsOf(kinds) };
  return output.write(pageText(named, pageAssets()));
}

/** Modules in the order in which they import each other. */
const MODULES = [
  'views.js',
  'matrix.js',
  'order.js',
  'cut.js',
  'elements.js',
  'wrapping.js',
  'gridLayout.js',
  'gridCells.js',
  'grid.js',
  'list.js',
  'page.js',
  'change.js',
  'mapPlace.js',
  'mapOverview.js',
  'map.js',
];
const FLEET_MODULES = ['fleetFilter.js', 'fleet.js'];

/** The name that the script of the views exports for the script that starts it. */
const END = 'viewsEnd';

/** The script and style of every page about access, read from the installed package. */
export const pageAssets = (): PageAssets => assetsOf([`${END}.js`, ...MODULES]);

/** The script and style of a page for a rollout. */
export const fleetAssets = (): PageAssets => assetsOf(FLEET_MODULES);

/**
 * The script and style of the page of a studio. Its script starts the script of the pages about access each time it shows their
 * views.
 */
export function studioAssets(): PageAssets {
  const views = assetsOf(MODULES);
  const { script } = assetsOf(['studio.js']);
  return {
    script: `${script}\nopenStudio(${END} => {\n${views.script}\n});\n`,
    style: `${views.style}${withoutRemarks(shippedText('assets/page/studio.css'))}`,
  };
}

function assetsOf(modules: readonly string[]): PageAssets {
  const textOf = (name: string) => shippedText(`assets/page/${name}`);
  // The script of a page has no imports. The modules are concatenated, and each module sees the
  // exports of the earlier modules.
  const script = modules.map(name => textOf(name).replaceAll(/^import .*\n|^export (?=\w)/gm, ''));
  return { script: withoutRemarks(script.join('\n')), style: withoutRemarks(textOf('page.css')) };
}

/**
 * Removes comments and indentation, which only help people who change the script. This is safe
 * because no string in the script spans lines.
 */
const withoutRemarks = (text: string): string =>
  text
    .replaceAll(/^[ \t]*\/\*(?:(?!\*\/)[\s\S])*\*\/[ \t]*\n/gm, '')
    .replaceAll(/^[ \t]*(?:\/\/.*)?\n/gm, '')
    .replaceAll(/^[ \t]+/gm, '');
