// Values that the server shows in clear text although the files took them from a secret, such as the template of an event stream.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startAccount } from '../../support/account.ts';
import { type Ended, environmentOf, inFolder, meshform } from '../../support/cli.ts';

const BODY = 'a-template-with-a-credential';
const URL = 'https://events.example.com/in';

interface Streams {
  readonly run: (...argv: string[]) => Promise<Ended>;
  readonly write: (config: string, folder?: 'network' | 'before') => Promise<void>;
  /** The configuration of the stream as the server has it. */
  readonly held: () => Promise<unknown>;
  /** What is in the files of the folder, without those of the desired state. */
  readonly kept: () => Promise<string>;
}

async function streams(story: (streams: Streams) => Promise<void>): Promise<void> {
  const account = await startAccount();
  try {
    await inFolder(async cwd => {
      const env = { ...environmentOf(account), BODY, MESHFORM_JOURNALS: join(cwd, 'journals') };
      await story({
        run: (...argv) => meshform(argv, { env, cwd }),
        write: async (config, folder = 'network') => {
          await mkdir(join(cwd, folder), { recursive: true });
          await writeFile(
            join(cwd, folder, 'a.yaml'),
            `event_streams: [{ platform: generic_http, config: { ${config} } }]\n`,
          );
        },
        held: async () => {
          const [stream] = (await account.call('GET', '/api/event-streaming')) as unknown[];
          return (stream as { config: unknown }).config;
        },
        kept: async () => {
          const all = await readdir(cwd, { recursive: true, withFileTypes: true });
          const files = all.filter(one => one.isFile() && one.name !== 'a.yaml');
          const paths = files.map(one => join(one.parentPath, one.name));
          return (await Promise.all(paths.map(path => readFile(path, 'utf8')))).join('\n');
        },
      });
    });
  } finally {
    await account.close();
  }
}

const code = (ended: Ended) => expect(ended.code, ended.stdout + ended.stderr);

test('an apply of a stream with a secret is complete, and the next plan is empty', () =>
  streams(async ({ run, write, held }) => {
    await write(`url: '${URL}', body_template: '\${env:BODY}', headers: '\${env:BODY}'`);
    code(await run('apply', 'network', '--yes')).toBe(0);
    expect(await held()).toMatchObject({ url: URL, body_template: BODY });
    code(await run('plan', 'network', '--detailed-exitcode')).toBe(0);
    code(await run('drift', 'network')).toBe(0);
    await write(`url: '${URL}/2', body_template: '\${env:BODY}', headers: '\${env:BODY}'`);
    code(await run('apply', 'network', '--yes')).toBe(0);
    expect(await held()).toMatchObject({ url: `${URL}/2`, body_template: BODY });
    code(await run('plan', 'network', '--detailed-exitcode')).toBe(0);
  }));

test('a text that replaces the secret is sent, and the former value is not shown, with a base or without', () =>
  streams(async ({ run, write, held, kept }) => {
    const secret = `url: '${URL}', body_template: '\${env:BODY}'`;
    const plain = `url: '${URL}', body_template: 'plain', region: 'eu'`;
    await write(secret);
    code(await run('apply', 'network', '--yes')).toBe(0);
    await write(plain);
    for (const format of ['text', 'json', 'markdown', 'comment'])
      for (const command of ['plan', 'drift']) {
        const { stdout, stderr } = await run(command, 'network', '--format', format);
        expect(stdout + stderr).not.toContain('credential');
      }
    const planned = await run('plan', 'network', '--out', 'plan.json');
    expect(planned.stdout).toContain('config["body_template"] = (secret) -> "plain"');
    const report = await run('plan', 'network', '--adopt', 'report', '--format', 'json');
    expect(report.stdout + report.stderr + (await kept())).not.toContain('credential');
    const applied = await run('apply', 'plan.json', '--yes');
    code(applied).toBe(0);
    expect(applied.stdout + applied.stderr + (await kept())).not.toContain('credential');
    expect(await held()).toMatchObject({ body_template: 'plain' });
    code(await run('plan', 'network', '--detailed-exitcode')).toBe(0);
    // Somebody else's value may be a secret too: a plan shows what the files have written.
    await write(`url: '${URL}/2', body_template: 'other', region: 'eu'`);
    const moved = await run('plan', 'network');
    expect(moved.stdout).toContain('config["body_template"] = (secret) -> "other"');
  }));

test('a text from a file or from a base is shown in a plan', () =>
  streams(async ({ run, write }) => {
    await write(`url: '${URL}'`);
    code(await run('apply', 'network', '--yes')).toBe(0);
    await write(`url: '${URL}'`, 'before');
    await write(`url: '${URL}/2'`);
    const { stdout } = await run('plan', 'network', '--base', './before');
    expect(stdout).toContain(`config["url"] = "${URL}" -> "${URL}/2"`);
  }));

test('a text that replaces a masked secret is sent if a base knows of the secret', () =>
  streams(async ({ run, write }) => {
    await write(`url: '${URL}', headers: '\${env:BODY}'`);
    code(await run('apply', 'network', '--yes')).toBe(0);
    await write(`url: '${URL}', headers: '\${env:BODY}'`, 'before');
    await write(`url: '${URL}', headers: 'accept: all'`);
    const { stdout } = await run('plan', 'network', '--base', './before');
    expect(stdout).toContain('config["headers"] = (secret) -> "accept: all"');
  }));

test('the digests of a plan do not depend on the value of a shown secret', async () => {
  const digestsFor = async (body: string): Promise<readonly string[] | null> => {
    let found: readonly string[] | null = null;
    await streams(async ({ run, write, kept }) => {
      await write(`url: '${URL}', body_template: '${body}'`);
      code(await run('apply', 'network', '--yes')).toBe(0);
      await write(`url: '${URL}', body_template: 'plain'`);
      code(await run('plan', 'network', '--out', 'plan.json')).toBe(0);
      found = (await kept()).match(/"digest": "[0-9a-f]{16}"/g);
    });
    return found;
  };
  const first = await digestsFor('one-secret');
  expect(first).toHaveLength(1);
  expect(await digestsFor('another')).toEqual(first);
});
