// Two clones apply the same files at the same moment. With the lock in the Git remote, one of them applies, and the other waits or is
// refused: nothing is there twice. With a lock that only one machine sees, whoever creates something twice says so.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { seededRandom } from '../../src/emulator/index.ts';
import { type Machine, machines, refsAt } from '../cli/lock/sharedMachines.ts';
import type { TestAccount } from '../support/account.ts';
import { type Ended, environmentOf, meshform } from '../support/cli.ts';
import { git } from '../support/git.ts';
import { patience, proof } from '../support/proof.ts';

const ROUNDS = { slice: 2, full: 400 };

test(
  'one of two clones that apply the same files concurrently applies, and nothing is duplicated',
  async () => {
    const { count, seed, found } = proof('two clones at the same moment, lock: git', ROUNDS);
    const random = seededRandom(seed);
    const figures = { waited: 0, refused: 0, after: 0 };
    for (let round = 0; round < count; round++)
      await machines(async ({ account, machine, remote, lock }) => {
        const about = `seed ${seed}, round ${round}`;
        const both = [await machine('one'), await machine('two')] as const;
        await declared(both, 2 + Math.floor(random() * 6));
        const waits = random() < 0.5;
        const flags = ['--lock', 'git', ...(waits ? ['--wait', '1h'] : [])];
        const ended = await atOnce(both, { account, flags, after: Math.floor(random() * 12) });
        const said = ended.map(({ stdout, stderr }) => `${stdout}\n${stderr}`).join('\n---\n');
        const codes = ended.map(({ code }) => code).sort();
        expect([0, 6], `${about}\n${said}`).toContain(codes[1]);
        expect(codes[0], `${about}\n${said}`).toBe(0);
        expect(await doubled(account), `${about}\n${said}`).toEqual([]);
        expect(await missing(account, both[0]), `${about}\n${said}`).toEqual([]);
        expect(refsAt(remote, lock), about).toBe('');
        if (waits) expect(codes, `${about}\n${said}`).toEqual([0, 0]);
        if (codes[1] === 6) figures.refused += 1;
        else figures[waits ? 'waited' : 'after'] += 1;
      });
    const { waited, refused, after } = figures;
    found(
      `nothing was there twice; of the second runs ${refused} were refused, ${waited} waited, and ${after} found the lock free`,
    );
  },
  patience(ROUNDS, 15_000),
);

test(
  'the machine that creates a duplicate of another machine’s objects reports it with `lock: file`',
  async () => {
    const { count, seed, found } = proof('two clones at the same moment, lock: file', ROUNDS);
    const random = seededRandom(seed);
    const figures = { twice: 0, rounds: 0, clean: 0 };
    for (let round = 0; round < count; round++)
      await machines(async ({ account, machine }) => {
        const about = `seed ${seed}, round ${round}`;
        const both = [await machine('one'), await machine('two')] as const;
        await declared(both, 2 + Math.floor(random() * 6));
        // Without groups only one of them can go on: the server takes each name of a group once.
        if (random() < 0.7)
          for (const name of ['devs', 'servers'])
            await account.call('POST', '/api/groups', { name });
        const ended = await atOnce(both, {
          account,
          flags: ['--lock', 'file'],
          after: Math.floor(random() * 12),
        });
        const said = ended.map(({ stdout, stderr }) => `${stdout}\n${stderr}`).join('\n---\n');
        const twice = await doubled(account);
        for (const { code } of ended) expect([0, 4, 5], `${about}\n${said}`).toContain(code);
        const telling = ended
          .filter(({ code }) => code === 4)
          .map(({ stdout }) => sentences(stdout));
        for (const ids of twice) {
          const isNamed = telling.flat().some(text => ids.every(id => text.includes(`id ${id})`)));
          expect(isNamed, `${about}: ${ids}\n${said}`).toBe(true);
        }
        if (twice.length === 0)
          expect(
            ended.flatMap(({ stdout }) => sentences(stdout)),
            about,
          ).toEqual([]);
        figures.twice += twice.length;
        figures[twice.length > 0 ? 'rounds' : 'clean'] += 1;
      });
    const { twice, rounds, clean } = figures;
    found(
      `in ${rounds} rounds ${twice} objects were there twice, each of which a run with exit code 4 named with both ids; nothing was there twice in ${clean}`,
    );
    if (count > 20) expect(rounds).toBeGreaterThan(count / 20);
  },
  patience(ROUNDS, 15_000),
);

/** Both clones have the same files: so many policies, and keys. */
async function declared([one, two]: readonly [Machine, Machine], count: number): Promise<void> {
  await one.declare('devs', 'servers');
  const policies = Array.from(
    { length: count },
    (_, i) =>
      `  - { name: policy ${i}, rules: [{ name: r, sources: [devs], destinations: [servers], protocol: all }] }`,
  );
  const keys = ['office', 'home'].map(
    name => `  - { name: ${name}, type: reusable, expires_in: 86400 }`,
  );
  const lines = ['policies:', ...policies, 'setup_keys:', ...keys];
  await writeFile(join(one.folder, 'network/all.yaml'), `${lines.join('\n')}\n`);
  git(one.folder, 'add', '--all', '.');
  git(one.folder, 'commit', '--quiet', '--message=more');
  git(one.folder, 'push', '--quiet', 'origin', 'HEAD:main');
  git(two.folder, 'pull', '--quiet', 'origin', 'main');
}

/** What a run says of objects that it created, and somebody else too. */
const sentences = (said: string): string[] =>
  said.replaceAll(/\s+/g, ' ').match(/was created by this run \(.*?hint:/g) ?? [];

interface Meeting {
  readonly account: TestAccount;
  readonly flags: readonly string[];
  /** How many requests of the first the second lets pass. */
  readonly after: number;
}

// A pause of one of them lets time pass for both.
async function atOnce(
  both: readonly [Machine, Machine],
  { account, flags, after }: Meeting,
): Promise<readonly Ended[]> {
  let time = Date.parse('2026-01-02T03:04:05Z');
  const clock = {
    now: () => time,
    sleep: async (milliseconds: number) => {
      time += milliseconds;
      await setImmediate();
    },
  };
  const apply = ({ folder }: Machine): Promise<Ended> => {
    const keys = `file:${folder}.secrets`;
    const words = ['apply', 'network', '--yes', '--secrets-to', keys, ...flags];
    return meshform(words, { cwd: folder, env: environmentAt(folder, account), clock });
  };
  const before = account.requests.length;
  let isOver = false;
  const first = apply(both[0]).finally(() => {
    isOver = true;
  });
  while (!isOver && account.requests.length - before < after) await setImmediate();
  return Promise.all([first, apply(both[1])]);
}

const environmentAt = (folder: string, account: TestAccount): Record<string, string> => ({
  ...environmentOf(account),
  PATH: process.env.PATH ?? '',
  HOME: `${folder}-home`,
  XDG_STATE_HOME: `${folder}-state`,
  MESHFORM_JOURNALS: `${folder}-journals`,
  MESHFORM_SIGNING_KEY: 'a signing key of all machines',
});

interface Named {
  readonly id: string;
  readonly name: string;
}

const LISTS = ['policies', 'setup-keys', 'groups'];

const listed = async (account: TestAccount, list: string): Promise<Named[]> =>
  (await account.call('GET', `/api/${list}`)) as unknown as Named[];

/** The ids of objects of the same kind and name, where there are several. */
async function doubled(account: TestAccount): Promise<string[][]> {
  const found: string[][] = [];
  for (const list of LISTS) {
    const byName = Map.groupBy(await listed(account, list), ({ name }) => name);
    for (const same of byName.values())
      if (same.length > 1) found.push(same.map(({ id }) => String(id)));
  }
  return found;
}

/** The declared names that the account does not have. */
async function missing(account: TestAccount, { folder }: Machine): Promise<string[]> {
  const text = git(
    folder,
    'grep',
    '-h',
    '-o',
    '-E',
    '^  - .*name: [a-z]+( [0-9]+)?[,]',
    '--',
    'network/all.yaml',
  );
  const names = [...text.matchAll(/^ {2}- \{ name: ([^,]+),/gm)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(3);
  const there = new Set<string>();
  for (const list of LISTS) for (const { name } of await listed(account, list)) there.add(name);
  return names.filter(name => !there.has(name));
}
