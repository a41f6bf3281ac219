// What comes after a plan was approved, under hostile names: saved plans that are refused, done or stale, locks that
// others hold, and journals of applies that were cut off.
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { journalsFor } from '../../src/apply/journal/journalFolder.ts';
import { present } from '../../src/model/errors.ts';
import { asciiJson } from './disguise.ts';
import { type Fixture, fileName, JOURNALS, NOW } from './fixture.ts';
import { BY_HAND, byHand, type Say } from './story.ts';

/** Goes through it. Nothing is left to be done at the end. */
export async function approved(
  fixture: Fixture,
  on: (name: string) => string,
  say: Say,
): Promise<void> {
  const { folder, server, write } = fixture;
  const there = `./${folder}`;
  const flags = ['--yes', '--secrets-to', 'file:kept.jsonl'];
  const file = `${fileName(on('wiki'))}.json`;
  const apply = ['apply', file, ...flags];

  // A plan is known by its content: what is done here must not have been done before.
  await byHand(fixture, BY_HAND[1]);
  await say('saved', ['plan', there, '--out', file]);
  await say('saved, other digest', [...apply, '--digest', `sha256:${'0'.repeat(64)}`]);
  await say('saved, other flags', [...apply, '--only', `group/${on('servers')}`]);
  await say('saved, other server', [...apply, '--url', 'http://127.0.0.1:9']);
  await say('journal is there', [...apply, '--journal', file]);
  const locked = async (until: number) =>
    write(await lockFile(fixture, server.url), asciiJson(owner(on('wiki'), until)));
  await locked(NOW + 60_000);
  await say('locked', apply);
  await locked(NOW - 1);
  await say('lock taken over', apply);
  for (const format of ['text', 'json', 'jsonl'])
    await say(`applied already ${format}`, [...apply, '--format', format]);
  await byHand(fixture, 'porto');
  await say('results lost', apply);

  const stale = `stale ${file}`;
  await say('saved too early', ['plan', there, '--out', stale]);
  await say('not to be replaced', ['export', '--out', stale]);
  await byHand(fixture, BY_HAND[2]);
  await say('stale', ['apply', stale, '--yes', '--journal', `other ${file}`]);
  await say('no journal', ['apply', there, ...flags, '--resume', file]);
  server.refuse(method => (method === 'GET' ? null : 'json'), on('wiki'));
  await say('not completed', ['apply', there, ...flags]);
  server.refuse(null, '');
  await cutOff(fixture);
  await say('after one cut off', ['apply', there, ...flags, '--only', `group/${on('servers')}`]);
  await say('resume the last', ['apply', there, ...flags, '--resume']);
  await say('put right', ['apply', there, ...flags]);
}

const lockFile = async (fixture: Fixture, url: string): Promise<string> => {
  const name = createHash('sha256').update(url).digest('hex').slice(0, 12);
  return join(relative(fixture.home, await journalsOf(fixture)), `${name}.lock`);
};

const journalsOf = ({ home, folder }: Fixture): Promise<string> =>
  journalsFor(folder, { cwd: home, env: {}, journals: join(home, JOURNALS) });

const owner = (host: string, until: number) => ({ id: 'o', pid: 7, host, since: NOW, until });

// The last journal, without the line that its run ended with.
async function cutOff(fixture: Fixture): Promise<void> {
  const journals = await journalsOf(fixture);
  const names = (await readdir(journals)).filter(name => name.endsWith('.jsonl'));
  const last = join(journals, present(names.toSorted().at(-1), 'a journal'));
  const lines = (await readFile(last, 'utf8')).trimEnd().split('\n');
  await writeFile(
    last,
    lines
      .slice(0, -1)
      .map(line => `${line}\n`)
      .join(''),
  );
}
