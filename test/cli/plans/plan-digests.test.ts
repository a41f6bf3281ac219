// The two digests of a plan: one is what people approve, and every command has the same for a file; the other compares plans.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/model/value.ts';
import { environmentOf, meshform } from '../../support/cli.ts';
import { git } from '../../support/git.ts';
import { resealed } from '../../support/resealed.ts';
import { NETWORKS, planned, type Setting, writes } from './plannedFolder.ts';

const DIGESTS = /sha256:[0-9a-f]{64}/g;
const digestsIn = (text: string): ReadonlySet<string> => new Set(text.match(DIGESTS));

async function documentAt({ folder }: Setting, file = 'plan.json') {
  const document = JSON.parse(await readFile(join(folder, file), 'utf8'));
  return document as JsonObject & {
    readonly meshform: JsonObject & { readonly digest: string; readonly content_digest: string };
  };
}

/** The creation of a policy fails once. */
const ONE_FAILURE: JsonObject = {
  method: 'POST',
  path: '/api/policies',
  effect: 'status',
  status: 500,
  times: 1,
};

/** Plans at another time. */
const plannedAt = ({ account, folder }: Setting, now: number, ...flags: string[]) =>
  meshform(['plan', 'network', ...flags], {
    env: environmentOf(account),
    cwd: folder,
    now,
  });

describe('the digest of a plan file', () => {
  test('is the same wherever a command prints it, and is accepted by `--digest`', () =>
    planned(NETWORKS, async setting => {
      const { run, folder, account } = setting;
      const flags = ['plan', 'network', '--force', '--out', 'plan.json'];
      for (const format of ['text', 'markdown', 'comment']) {
        const { stdout } = await run(...flags, '--format', format);
        const { digest } = (await documentAt(setting)).meshform;
        expect([...digestsIn(stdout)], format).toEqual([digest]);
        const shown = await run('show', 'plan.json', '--format', format);
        expect([...digestsIn(shown.stdout)], format).toEqual([digest]);
      }
      const document = await documentAt(setting);
      const { digest, content_digest: content } = document.meshform;
      expect(JSON.parse((await run('show', 'plan.json', '--format', 'json')).stdout)).toEqual(
        document,
      );
      const check = await run('plan', 'check', 'plan.json', '--digest', digest, '--format', 'json');
      expect(JSON.parse(check.stdout)).toMatchObject({ digest, content_digest: content });
      await run(...flags, '--html', 'plan.html');
      const [page] = digestsIn(await readFile(join(folder, 'plan.html'), 'utf8'));
      const last = await documentAt(setting);
      expect(page).toBe(last.meshform.digest);

      const prompt = { env: environmentOf(account), cwd: folder, answer: 'no' };
      const asked = await meshform(['apply', 'plan.json'], prompt);
      expect([...digestsIn(asked.stdout)]).toEqual([page]);
      const words = [
        'apply',
        'plan.json',
        '--yes',
        '--digest',
        String(page),
        '--journal',
        'j.jsonl',
      ];
      const applied = await run(...words, '--format', 'json');
      expect(applied, applied.stderr).toMatchObject({ code: 0 });
      expect(JSON.parse(applied.stdout).plan).toEqual(last);
      const [head] = (await readFile(join(folder, 'j.jsonl'), 'utf8')).split('\n', 1);
      expect(JSON.parse(head ?? '')).toMatchObject({ plan_digest: page, plan: last });
    }));

  test('is in the journal of an apply of files, and --resume --digest verifies it', () =>
    planned(NETWORKS, async ({ account, folder, run }) => {
      await account.fault(ONE_FAILURE);
      const applied = await run('apply', 'network', '--yes', '--journal', 'j.jsonl');
      expect(applied).toMatchObject({ code: 4 });
      const [head] = (await readFile(join(folder, 'j.jsonl'), 'utf8')).split('\n', 1);
      const { plan_digest: digest } = JSON.parse(head ?? '');
      expect([...digestsIn(applied.stdout)]).toEqual([digest]);
      const before = writes(account);
      const resume = ['apply', 'network', '--yes', '--resume', 'j.jsonl', '--digest'];
      const other = await run(...resume, `sha256:${'0'.repeat(64)}`);
      expect(other).toMatchObject({ code: 6 });
      expect(other.stderr).toContain('`j.jsonl` is not the plan that was approved');
      expect(writes(account)).toBe(before);
      expect(await run(...resume, digest)).toMatchObject({ code: 0 });
      const undo = ['apply', 'network', '--yes', '--undo', 'j.jsonl', '--digest'];
      const undone = await run(...undo, `sha256:${'0'.repeat(64)}`);
      expect(undone).toMatchObject({ code: 6 });
      expect(undone.stderr).toContain('`j.jsonl` is not the plan that was approved');
    }));

  test('is the only digest that --digest accepts', () =>
    planned(NETWORKS, async setting => {
      const { account, run } = setting;
      const { digest } = (await documentAt(setting)).meshform;
      const other = `sha256:${'0'.repeat(64)}`;
      const refused = await run('apply', 'plan.json', '--yes', '--digest', other);
      expect(refused).toMatchObject({ code: 6 });
      expect(refused.stderr).toContain(digest);
      expect(writes(account)).toBe(0);
      expect(await run('apply', 'plan.json', '--yes', '--digest', 'sha256:12')).toMatchObject({
        code: 64,
      });
      expect(await run('apply', 'plan.json', '--yes', '--digest', digest)).toMatchObject({
        code: 0,
      });
    }));

  test('covers the whole file, even if a later version has added fields', () =>
    planned(NETWORKS, async setting => {
      const { run, folder, account } = setting;
      const document = await documentAt(setting);
      const changes = (document.meshform.changes as JsonObject[]).map((change, i) =>
        i === 0 ? { ...change, colour: 'red' } : change,
      );
      const meshform = {
        ...document.meshform,
        changes,
        summary: { ...(document.meshform.summary as JsonObject), later: 1 },
      };
      const later = resealed({ ...document, format_version: '2.7', meshform });
      await writeFile(join(folder, 'plan.json'), JSON.stringify(later));
      const shown = await run('show', 'plan.json', '--format', 'json');
      expect(JSON.parse(shown.stdout)).toEqual(later);
      const { digest } = (await documentAt(setting)).meshform;
      expect([...digestsIn((await run('show', 'plan.json')).stdout)]).toEqual([digest]);
      await account.fault(ONE_FAILURE);
      const apply = ['apply', 'plan.json', '--yes', '--digest', digest, '--journal', 'j.jsonl'];
      expect(await run(...apply)).toMatchObject({ code: 4 });
      const resumed = await run('apply', 'network', '--yes', '--resume', 'j.jsonl');
      expect(resumed, resumed.stderr).toMatchObject({ code: 0 });
    }));

  test('differs from that of a plan with the same actions made at another time', () =>
    planned(NETWORKS, async setting => {
      const { run } = setting;
      const first = await plannedAt(setting, 1_000, '--out', 'a.json');
      const second = await plannedAt(setting, 2_000, '--out', 'b.json');
      expect([first.code, second.code]).toEqual([0, 0]);
      const a = await documentAt(setting, 'a.json');
      const b = await documentAt(setting, 'b.json');
      expect(a.meshform.made_at).toBe('1970-01-01T00:00:01.000Z');
      expect(a.meshform.digest).not.toBe(b.meshform.digest);
      expect(a.meshform.content_digest).toBe(b.meshform.content_digest);
      const other = await run('apply', 'b.json', '--yes', '--digest', a.meshform.digest);
      expect(other).toMatchObject({ code: 6 });
    }));
});

describe('an unsaved plan', () => {
  test.each(['text', 'markdown', 'comment'])('has no digest as %s', format =>
    planned(NETWORKS, async ({ run }) => {
      const { code, stdout } = await run('plan', 'network', '--format', format);
      expect(code).toBe(0);
      expect(stdout).not.toContain('sha256:');
    }),
  );

  test('has a digest if it is saved through a pipe as JSON', () =>
    planned(NETWORKS, async setting => {
      const { account, folder } = setting;
      const { stdout: stdin } = await plannedAt(setting, 1_000, '--format', 'json');
      const { digest } = JSON.parse(stdin).meshform;
      const options = { env: environmentOf(account), cwd: folder, stdin };
      const applied = await meshform(['apply', '-', '--yes', '--digest', digest], options);
      expect(applied, applied.stderr).toMatchObject({ code: 0 });
    }));

  test('has no digest and no file if its access tests refuse it', () =>
    planned(NETWORKS, async ({ run, folder }) => {
      const tests = 'access_tests: [{ name: x, from: group/devs, deny: ["group/devs:tcp/443"] }]';
      await writeFile(join(folder, 'network/tests.yaml'), tests);
      const refused = await run('plan', 'network', '--out', 'refused.json');
      expect(refused.code).toBe(6);
      expect(refused.stdout).not.toContain('sha256:');
      await expect(readFile(join(folder, 'refused.json'))).rejects.toThrow('ENOENT');
    }));
});

describe('the content digest', () => {
  test('does not approve a plan, and the message says so', () =>
    planned(NETWORKS, async setting => {
      const { account, run } = setting;
      const { digest, content_digest: content } = (await documentAt(setting)).meshform;
      for (const argv of [
        ['apply', 'plan.json', '--yes', '--digest', content],
        ['plan', 'check', 'plan.json', '--digest', content],
      ]) {
        const refused = await run(...argv);
        expect(refused, argv.join(' ')).toMatchObject({ code: 6, stdout: '' });
        expect(refused.stderr).toContain(
          `${content} is the content digest of \`plan.json\`: it compares plans, and cannot approve one`,
        );
        expect(refused.stderr.replaceAll(/\s+/g, ' ')).toContain(digest);
      }
      expect(writes(account)).toBe(0);
    }));

  test('is equal in any place of declarations and for any commit, and differs if the actions differ', () =>
    planned(`${NETWORKS}${CHANNEL}`, async setting => {
      const { folder } = setting;
      git(folder, 'init', '--quiet');
      const committed = async (text: string) => {
        await writeFile(join(folder, 'network/network.yaml'), text);
        git(folder, 'add', 'network');
        git(folder, 'commit', '--quiet', '--message', 'a change');
        const { code, stdout, stderr } = await plannedAt(setting, 5_000, '--format', 'json');
        expect(code, stderr).toBe(0);
        return JSON.parse(stdout).meshform;
      };
      const first = await committed(`${NETWORKS}${CHANNEL}`);
      const [title, channel] = CHANNEL.split('\n');
      const other =
        '  - { type: email, event_types: [user.join], target: { emails: [a@example.com] } }';
      const both = await committed(`${NETWORKS}${CHANNEL}${other}\n`);
      const moved = await committed(`${title}\n${other}\n${channel}\n${NETWORKS}`);
      expect(first.content_digest).not.toBe(both.content_digest);
      expect(moved.content_digest).toBe(both.content_digest);
      expect(moved.revision).not.toBe(both.revision);
      expect(moved.secret_sources).not.toEqual(both.secret_sources);
      expect(moved.digest).not.toBe(both.digest);
    }));
});

/** A job with another key than that of the job that planned: it compares only the hosts of addresses. */
const OTHER_JOB = {
  DEPLOY_KEY: 'the key to everything',
  MESHFORM_FINGERPRINT_KEY: 'a key of the other job',
};
const HOOK = 'https://hooks.example.com/services/T1/one';
const CHANNEL = `notification_channels:
  - { type: webhook, event_types: [user.join], target: { url: "${HOOK}" } }
`;

describe('the folder of a plan', () => {
  const KEPT = CHANNEL.replace('" } }', '", headers: { X-Key: "${file:key.txt}" } } }');
  const withKey = (use: (setting: Setting) => Promise<void>) =>
    planned(`${NETWORKS}${KEPT}`, async setting => {
      expect(KEPT).toContain('key.txt');
      await writeFile(join(setting.folder, 'network/key.txt'), 'the key of the channel');
      await writeFile(join(setting.folder, 'outside.txt'), 'the key to everything');
      await use(setting);
    });

  test('is relative to the working folder: in another folder the plan says what is missing', () =>
    withKey(async ({ account, folder, run }) => {
      const env = environmentOf(account);
      const options = { env, cwd: join(folder, 'network') };
      const elsewhere = await meshform(['apply', '../plan.json', '--yes'], options);
      expect(elsewhere).toMatchObject({ code: 3 });
      expect(elsewhere.stderr.replaceAll(/\s+/g, ' ')).toContain(
        'the plan reads secrets from files in `network`, and that folder does not exist here',
      );
      expect(writes(account)).toBe(0);
      expect(await run('apply', 'plan.json', '--yes')).toMatchObject({ code: 0 });
    }));

  test.each([
    ['a file', '${file:key.txt}', '${file:../outside.txt}'],
    ['a file by its whole path', '${file:key.txt}', '${file:/etc/hostname}'],
    ['a place in a file', '${yaml:network.yaml#', '${yaml:../outside.txt#'],
  ])(
    'limits what may be read: %s outside it is treated as missing, also in a plan with a valid digest',
    (_, from, to) =>
      withKey(async ({ account, folder, run }) => {
        const file = join(folder, 'plan.json');
        const text = (await readFile(file, 'utf8')).replaceAll(from, to);
        expect(text).toContain(to);
        await writeFile(file, JSON.stringify(resealed(JSON.parse(text))));
        const ended = await run('apply', 'plan.json', '--yes');
        expect([3, 5]).toContain(ended.code);
        expect(ended.stderr).toMatch(/does not exist here|no longer exists/);
        expect(writes(account)).toBe(0);
      }),
  );
});

describe('the sources of the secrets of an approved plan', () => {
  const STOLEN = 'https://hooks.example.com/${env:DEPLOY_KEY}';
  const edits: [string, (text: string) => string][] = [
    ['the source of a secret', text => text.replace(/\$\{yaml:[^"]*#[^"]*\}/, STOLEN)],
    [
      'the place of a secret in a file',
      text => text.replace('channels/0/target', 'channels/1/target'),
    ],
    ['the folder of the files', text => text.replace('"folder": "network"', '"folder": "other"')],
  ];
  test.each(edits)('cannot be edited under the same digest: %s', (_, edit) =>
    planned(`${NETWORKS}${CHANNEL}`, async setting => {
      const { account, folder } = setting;
      const file = join(folder, 'plan.json');
      const text = await readFile(file, 'utf8');
      const { digest } = JSON.parse(text).meshform;
      expect(edit(text)).not.toBe(text);
      await writeFile(file, edit(text));
      const env = { ...environmentOf(account), ...OTHER_JOB };
      const options = { env, cwd: folder };
      for (const argv of [
        ['show', 'plan.json'],
        ['apply', 'plan.json', '--yes', '--digest', digest],
      ]) {
        const ended = await meshform(argv, options);
        expect(ended, ended.stdout).toMatchObject({ code: 3, stdout: '' });
        expect(ended.stderr).toContain('its digest does not match');
      }
      expect(writes(account)).toBe(0);
    }),
  );

  test.each([
    ['a literal address', HOOK],
    ['another variable', 'https://hooks.example.com/${env:HOOK_PATH}'],
  ])('make the plan stale if the file now has a variable in place of %s', (_, before) =>
    planned(
      `${NETWORKS}${CHANNEL.replace(HOOK, before)}`,
      async ({ account, folder }) => {
        const env = { ...environmentOf(account), ...OTHER_JOB, HOOK_PATH: 'one' };
        const text = `${NETWORKS}${CHANNEL.replace(HOOK, STOLEN)}`;
        await writeFile(join(folder, 'network/network.yaml'), text);
        const ended = await meshform(['apply', 'plan.json', '--yes'], { env, cwd: folder });
        expect(ended, ended.stdout + ended.stderr).toMatchObject({ code: 5 });
        expect(ended.stderr.replaceAll(/\s+/g, ' ')).toContain('changed since the plan was made');
        expect(writes(account)).toBe(0);
      },
      { more: { HOOK_PATH: 'one' } },
    ),
  );
});
