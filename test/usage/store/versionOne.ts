// A store as format version 1 had it: its journal has no beginning, and its lines do not name the line before them.
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Manifest, manifestText } from '../../../src/usage/store/manifest.ts';

/** Rewrites a store to version 1. `change` changes the text of each look, such as its ids. */
export async function toVersionOne(
  folder: string,
  change: (text: string) => string = text => text,
): Promise<void> {
  const path = join(folder, 'store.json');
  const { begin: _, ...older } = JSON.parse(await readFile(path, 'utf8')).store as Manifest;
  const journal = join(folder, older.journal);
  const [, ...lines] = (await readFile(journal, 'utf8')).trimEnd().split('\n');
  const changed = lines.map(line => `${withoutAfter(line, change)}\n`);
  await writeFile(path, manifestText(older));
  await writeFile(journal, changed.join(''));
}

/** A line of a journal as a version wrote it that did not name the line before it. */
export function withoutAfter(
  line: string,
  change: (text: string) => string = text => text,
): string {
  const { after: _, ...fields } = JSON.parse(line.slice(17));
  const text = change(JSON.stringify(fields));
  return `${createHash('sha256').update(text).digest('hex').slice(0, 16)} ${text}`;
}
