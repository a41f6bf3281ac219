// An apply that was cut off: its journal says how far it got, and --resume goes on from there.
import { readdirSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { journalsFor } from '../../../src/apply/journal/journalFolder.ts';
import { shippedSchema } from '../../../src/kinds/registry.ts';
import { schemaCompiler } from '../../../src/kinds/schema/keywords.ts';
import { isList, isObject, type JsonObject } from '../../../src/model/value.ts';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';
import { onlyFolderIn } from '../../support/journals.ts';
import { someOf } from '../../support/variations.ts';

const FILES = `groups: [{ name: devs }, { name: ops }]
networks:
  - name: office
    resources: [{ name: wiki, address: 10.0.0.5, groups: [ops] }]
policies:
  - name: devs reach the wiki
    rules:
      - name: web
        sources: [devs]
        destinationResource: { network_resource: office/wiki }
        protocol: tcp
        ports: ["443"]
`;

let account: TestAccount;

beforeEach(async () => {
  account = await startAccount();
  onTestFinished(() => account.close());
});

/** The journal of an apply that went well, as lines. */
async function appliedIn(folder: string, ...flags: string[]): Promise<string[]> {
  await writeFile(join(folder, 'network.yaml'), FILES);
  const ended = await run(folder, '--yes', '--journal', 'run.jsonl', ...flags);
  expect(ended).toMatchObject({ code: 0 });
  return (await readFile(join(folder, 'run.jsonl'), 'utf8')).split('\n').slice(0, -1);
}

const run = (folder: string, ...flags: string[]) =>
  meshform(['apply', folder, ...flags], {
    env: { ...environmentOf(account), MESHFORM_JOURNALS: join(folder, 'journals') },
    cwd: folder,
  });

const typesOf = (lines: readonly string[]) => lines.map(line => JSON.parse(line).type);

describe('a journal', () => {
  test('has a line before each write, a line after its answer, and an end, all valid by the schema', () =>
    inFolder(async folder => {
      const lines = await appliedIn(folder, '--concurrency', '1');
      const types = typesOf(lines);
      expect(types[0]).toBe('run');
      expect(types.at(-1)).toBe('close');
      const made = ['send', 'answer', 'name', 'end'];
      const written = [...made, ...made, ...made, ...made, ...made];
      // What the answers do not settle is read back at the end.
      expect(types.slice(1, -1)).toEqual(['log', ...written, 'name', 'end']);
      const isLine = schemaCompiler().compile(shippedSchema('journal.schema.json'));
      for (const line of lines) expect(isLine(JSON.parse(line)), line).toBe(true);
    }));

  test('holds the previous state of an update and a delete, with ids', () =>
    inFolder(async folder => {
      await appliedIn(folder);
      const changed = FILES.replace('443', '8443')
        .replace('{ name: devs }, ', '')
        .replace(/sources: \[devs\]/, 'sources: [ops]');
      await writeFile(join(folder, 'network.yaml'), changed);
      const flags = [
        '--prune',
        'unmanaged',
        '--allow',
        'DELETES_OBJECT',
        '--yes',
        '--journal',
        '2.jsonl',
      ];
      expect(await run(folder, ...flags)).toMatchObject({ code: 0 });
      const lines = (await readFile(join(folder, '2.jsonl'), 'utf8')).trim().split('\n');
      const sends = lines
        .map((line): JsonObject => JSON.parse(line))
        .filter(({ type }) => type === 'send');
      const images = Object.fromEntries(sends.map(({ action, before }) => [action, before]));
      expect(images['delete group.devs']).toEqual({
        fields: { name: 'devs', peers: [] },
        left_out: [],
      });
      expect(images['update policy["devs reach the wiki"]']).toMatchObject({
        fields: { rules: [{ ports: ['443'], sources: [expect.stringMatching(/^id:/)] }] },
      });
    }));

  test('is in its own folder, ignored by git', () =>
    inFolder(async folder => {
      await writeFile(join(folder, 'network.yaml'), FILES);
      await run(folder, '--yes');
      const journals = onlyFolderIn(join(folder, 'journals'));
      const names = await readdir(journals);
      expect(names.sort()).toEqual(['.gitignore', '1970-01-01T00-00-00.000Z.jsonl']);
      expect(await readFile(join(journals, '.gitignore'), 'utf8')).toBe('*\n');
    }));

  test.each([
    ['removed', 'removed', (file: string) => rmSync(file, { force: true })],
    ['emptied', 'emptied or shortened', (file: string) => truncateSync(file)],
  ])(
    'a journal that is %s during the run ends the run, with no hint to continue it',
    (_, loss, lose) =>
      inFolder(async folder => {
        await writeFile(join(folder, 'network.yaml'), FILES);
        const words = ['apply', folder, '--yes', '--concurrency', '1', '--journal', 'run.jsonl'];
        const { code, stdout, stderr } = await meshform(words, {
          env: environmentOf(account),
          cwd: folder,
          onTalk: text => {
            if (text.includes('created')) lose(join(folder, 'run.jsonl'));
          },
        });
        expect(code).toBe(4);
        expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`it was ${loss} during the run`);
        expect(stdout).toContain('Apply incomplete: 1 done');
        expect(stdout).not.toContain('free disk space');
        expect(stdout).toContain('the last lines of the output say how to continue');
        expect(stderr).toContain(`The journal run.jsonl was ${loss} during the run`);
        expect(stderr).not.toContain('--resume');
      }),
  );

  test('is never overwritten', () =>
    inFolder(async folder => {
      await appliedIn(folder);
      await writeFile(join(folder, 'network.yaml'), FILES.replace('443', '8443'));
      const ended = await run(folder, '--yes', '--journal', 'run.jsonl');
      expect(ended.code).toBe(64);
      expect(ended.stderr).toContain('meshform never overwrites a journal');
    }));
});

/** An apply that is interrupted after so many actions; its journal is cut to so many lines fewer, as a kill would. */
async function cutOff(folder: string, actions: number, linesFewer: number): Promise<void> {
  await writeFile(join(folder, 'network.yaml'), FILES);
  let done = 0;
  await meshform(['apply', folder, '--yes', '--concurrency', '1', '--journal', 'run.jsonl'], {
    env: environmentOf(account),
    cwd: folder,
    onTalk: (text, interrupt) => {
      if (!text.includes('created')) return;
      done += 1;
      if (done === actions) interrupt('SIGINT');
    },
  });
  const lines = (await readFile(join(folder, 'run.jsonl'), 'utf8')).split('\n').slice(0, -2);
  const left = lines.slice(0, lines.length - linesFewer);
  await writeFile(join(folder, 'run.jsonl'), `${left.join('\n')}\n{"at":"1970-`);
}

const CUTS = [1, 2, 3, 4, 5].flatMap(actions =>
  [0, 1, 2, 3].map(lines => [actions, lines] as const),
);

describe('--resume', () => {
  test.each(someOf(CUTS, 3))(
    '--resume after %i actions, with a journal that lacks %i lines, does the rest and nothing twice',
    (actions, lines) =>
      inFolder(async folder => {
        await cutOff(folder, actions, lines);
        const before = account.requests.length;
        const resumed = await run(folder, '--yes', '--resume', 'run.jsonl');
        expect(resumed, resumed.stderr).toMatchObject({ code: 0 });
        expect(resumed.stdout).toContain('Apply complete! 5 added');
        const writes = account.requests.slice(before).filter(({ method }) => method !== 'GET');
        expect(writes).toHaveLength(5 - actions);
        const env = environmentOf(account);
        expect(await meshform(['plan', folder, '--detailed-exitcode'], { env })).toMatchObject({
          code: 0,
        });
      }),
  );

  test('--resume without a name uses the journal of the last apply from that folder', () =>
    inFolder(async folder => {
      await appliedIn(folder);
      await writeFile(join(folder, 'network.yaml'), FILES.replace('443', '8443'));
      await account.fault({
        method: 'PUT',
        path: '/api/policies/*',
        effect: 'status',
        status: 500,
      });
      const failed = await run(folder, '--yes');
      expect(failed.code).toBe(4);
      const own = relative(folder, onlyFolderIn(join(folder, 'journals')));
      const journal = `${own}/1970-01-01T00-00-00.000Z.jsonl`;
      expect(failed.stderr).toContain(
        `Journal: ${journal}.\nContinue with \`meshform apply --resume ${journal}\`.`,
      );
      expect(await run(folder, '--resume', '--yes')).toMatchObject({ code: 0 });
      const again = await run(folder, '--resume', '--yes');
      expect(again).toMatchObject({ code: 0, stdout: '' });
      expect(again.stderr).toContain('nothing to resume');
    }));

  test('--resume of a plan whose object was changed meanwhile is refused as stale', () =>
    inFolder(async folder => {
      await appliedIn(folder);
      const renamed = FILES.replace('name: ops }', 'name: admins, lifecycle: { was: ops } }');
      await writeFile(join(folder, 'network.yaml'), renamed.replace('[ops]', '[admins]'));
      await account.fault({ method: 'PUT', path: '/api/groups/*', effect: 'status', status: 500 });
      expect(await run(folder, '--yes')).toMatchObject({ code: 4 });
      const groups = await account.call('GET', '/api/groups');
      const live = (isList(groups) ? groups : []).filter(isObject).find(one => one.name === 'ops');
      await account.call('PUT', `/api/groups/${live?.id}`, { name: 'operators' });
      expect(await run(folder, '--resume', '--yes')).toMatchObject({ code: 5 });
    }));

  test('needs an address, because a journal may not decide where the token goes', () =>
    inFolder(async folder => {
      await cutOff(folder, 3, 0);
      const before = account.requests.length;
      const { MESHFORM_TOKEN = '' } = environmentOf(account);
      const argv = ['apply', '--yes', '--resume', 'run.jsonl'];
      const ended = await meshform(argv, { env: { MESHFORM_TOKEN }, cwd: folder, answer: 'yes' });
      expect(ended.code).toBe(64);
      expect(ended.stderr).toContain('set MESHFORM_URL, or add --url');
      expect(account.requests).toHaveLength(before);
    }));

  test.each([
    ['', 'the run was cut off before it began'],
    ['{"at":"1970","type":"send"}\n{}', 'it does not begin with the record of a run'],
  ])('reports that a journal with the content %j is empty', (text, message) =>
    inFolder(async folder => {
      await writeFile(join(folder, 'x.jsonl'), text);
      const ended = await run(folder, '--resume', 'x.jsonl');
      expect(ended.code).toBe(3);
      expect(ended.stderr).toContain(message);
    }),
  );

  test('accepts no modified plan', () =>
    inFolder(async folder => {
      const lines = await appliedIn(folder);
      const [head = '', ...rest] = lines;
      await writeFile(
        join(folder, 'x.jsonl'),
        [head.replace('10.0.0.5', '10.0.0.6'), ...rest].join('\n'),
      );
      const ended = await run(folder, '--resume', 'x.jsonl');
      expect(ended).toMatchObject({ code: 6, stdout: '' });
      expect(ended.stderr).toContain('line 1 of the journal `x.jsonl` has no valid signature');
    }));

  test('is suggested by the next apply after an interruption', () =>
    inFolder(async folder => {
      await cutOff(folder, 2, 0);
      const host = { cwd: folder, env: {}, journals: join(folder, 'journals') };
      const journals = await journalsFor(folder, host);
      await mkdir(journals, { recursive: true });
      await rename(join(folder, 'run.jsonl'), join(journals, 'run.jsonl'));
      const ended = await run(folder, '--yes');
      expect(ended.code).toBe(0);
      const shown = join(relative(folder, journals), 'run.jsonl');
      expect(ended.stderr).toContain(
        `the last apply was interrupted: continue it with \`meshform apply --resume ${shown}\``,
      );
    }));
});

test.each([503, 401, 403])(
  'an apply that sent nothing because of a %i does not suggest --resume',
  status =>
    inFolder(async folder => {
      await appliedIn(folder);
      await writeFile(join(folder, 'network.yaml'), FILES.replace('443', '8443'));
      // The plan reads all policies at once; each is read again before its write.
      const path = '/api/policies/*';
      await account.fault({ method: 'GET', path, effect: 'status', status, times: 99 });
      const ended = await run(folder, '--yes');
      expect(ended, ended.stderr).toMatchObject({ code: 4 });
      expect(ended.stdout + ended.stderr).not.toMatch(/--resume|JOURNAL/);
      expect(ended.stderr).toContain('Continue by running the command again.');
      const kept = await readdir(onlyFolderIn(join(folder, 'journals')));
      expect(kept.filter(name => name.endsWith('.jsonl'))).toEqual([]);
      await account.control('DELETE', '/emulator/faults');
      expect(await run(folder, '--yes')).toMatchObject({ code: 0 });
    }),
);

test('an apply is refused while another apply from the same folder is running', () =>
  inFolder(async folder => {
    await writeFile(join(folder, 'network.yaml'), FILES);
    const env = { ...environmentOf(account), MESHFORM_JOURNALS: join(folder, 'journals') };
    const ofFolder = () => onlyFolderIn(join(folder, 'journals'));
    const isLock = (name: string) => name.endsWith('.lock');
    const locks = new Map<string, string>();
    const first = await meshform(['apply', folder, '--yes'], {
      env,
      cwd: folder,
      onTalk: text => {
        if (!text.includes('created')) return;
        for (const name of readdirSync(ofFolder()).filter(isLock))
          locks.set(join(ofFolder(), name), readFileSync(join(ofFolder(), name), 'utf8'));
      },
    });
    expect(first, first.stderr).toMatchObject({ code: 0 });
    expect((await readdir(ofFolder())).filter(isLock)).toEqual([]);
    // As if the first were still under way.
    for (const [path, text] of locks) await writeFile(path, text);
    await writeFile(join(folder, 'network.yaml'), FILES.replace('443', '8443'));
    const second = await run(folder, '--yes');
    expect(second.code).toBe(6);
    expect(second.stderr).toContain(`another apply is running: process ${process.pid} on test`);
  }));
