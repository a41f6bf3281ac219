// The address of a webhook is a secret with a visible host: where it comes from is all that plans and journals hold of it.
// If it came from a source of secrets as a whole, its host is secret too.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isObject, type Json, type JsonObject } from '../../../src/model/value.ts';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';
import { someOf } from '../../support/variations.ts';

const CHANNELS = '/api/integrations/notifications/channels';
const [ONE, TWO, LIVE] = ['T111/Baaa-one', 'T222/Bbbb-two', 'T999/Bzzz-live'].map(
  path => `https://hooks.example.com/services/${path}`,
) as [string, string, string];
/** The whole address is secret. */
const OWN = 'https://Private.example.net:8443/services/T333/Bccc-own';
const ENV = { HOOK: OWN };

/** Parts of addresses that no output may have. */
const TELLING = [...[ONE, TWO, LIVE, OWN].map(url => url.slice(-13)), 'private.example', '8443'];

const expectNothingOf = (text: string): void => {
  // A digest may have any four digits in it.
  const shown = text.toLowerCase().replaceAll(/\b[\da-f]{8,64}\b/g, '');
  for (const part of TELLING) expect(shown).not.toContain(part.toLowerCase());
};

const channel = (url: string, events = 'user.join'): string =>
  `  - { type: webhook, event_types: [${events}], target: { url: "${url}" } }\n`;
const files = (...channels: string[]): string => `notification_channels:\n${channels.join('')}`;

interface Setting {
  readonly account: TestAccount;
  readonly folder: string;
  readonly env: Record<string, string>;
  readonly run: (...argv: string[]) => ReturnType<typeof meshform>;
  readonly write: (text: string) => Promise<void>;
  readonly urls: () => Promise<string[]>;
}

async function setting(text: string, use: (setting: Setting) => Promise<void>): Promise<void> {
  const account = await startAccount();
  onTestFinished(() => account.close());
  await inFolder(async folder => {
    const env: Record<string, string> = {
      ...environmentOf(account),
      ...ENV,
      MESHFORM_JOURNALS: '',
    };
    const run = (...argv: string[]) => meshform(argv, { env, cwd: folder });
    await mkdir(join(folder, 'network'));
    const write = (content: string) => writeFile(join(folder, 'network/network.yaml'), content);
    await write(text);
    const urls = async () => channelsOf(await account.call('GET', CHANNELS)).map(urlOf);
    await use({ account, folder, env, run, write, urls });
  });
}

const channelsOf = (list: Json): JsonObject[] => (Array.isArray(list) ? list.filter(isObject) : []);
const urlOf = ({ target }: JsonObject): string =>
  isObject(target) && typeof target.url === 'string' ? target.url : '';

const live = (account: TestAccount, url: string, events: readonly string[] = ['user.join']) =>
  account.call('POST', CHANNELS, {
    type: 'webhook',
    target: { url },
    event_types: events,
    enabled: true,
  });

/** Everything that a run has left in the folder, and what it has said. */
async function everything(folder: string): Promise<string> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const texts = names
    .filter(entry => entry.isFile() && entry.name !== 'network.yaml')
    .map(entry => readFile(join(entry.parentPath, entry.name), 'utf8'));
  return (await Promise.all(texts)).join('\n');
}

const digestless = /hooks\.example\.com#(?!\d+\b)/;

test('a plan contains only the source and a keyed digest of a secret address', () =>
  setting(files(channel(ONE), channel('${env:HOOK}')), async ({ folder, run, account }) => {
    await live(account, LIVE);
    const planned = await run('plan', 'network', '--out', 'plan.json', '--prune', 'unmanaged');
    expect(planned, planned.stderr).toMatchObject({ code: 0 });
    const text = await readFile(join(folder, 'plan.json'), 'utf8');
    expectNothingOf(planned.stdout + planned.stderr + text);
    expect(text).not.toMatch(digestless);
    const { meshform: plan } = JSON.parse(text);
    const targets = plan.actions.flatMap((action: JsonObject) =>
      isObject(action.fields) ? [action.fields.target] : [],
    );
    const digest = expect.stringMatching(/^hmac-sha256:[0-9a-f]{4}:[0-9a-f]{64}$/);
    expect(targets).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          url: {
            $secret: '${yaml:1}',
            $host: 'hooks.example.com',
            $digest: digest,
          },
        }),
        expect.objectContaining({
          url: { $secret: '${env:HOOK}', $host: '', $digest: digest },
        }),
      ]),
    );
    expect(Object.values(plan.secret_sources)).toEqual([
      ['${yaml:network.yaml#/notification_channels/0/target/url}'],
    ]);
    const deleted = plan.changes.find(({ type }: JsonObject) => type === 'delete');
    // An address that no file has may be a former value of the variable.
    expect(deleted.before.target.url).toEqual({ $secret: '', $host: '' });
    expect(deleted.address).toMatch(/^notification_channel\.id:/);
  }));

test('a channel is named after its host, and several channels of one host by numbers that do not depend on file order', () =>
  setting(files(channel(TWO), channel(ONE)), async ({ run, write }) => {
    const keys = async () => {
      const { stdout } = await run('plan', 'network', '--format', 'json');
      const { resource_changes: changes } = JSON.parse(stdout);
      return changes.map(({ name, change }: { name: string; change: { after: JsonObject } }) => [
        name,
        change.after.event_types,
      ]);
    };
    await write(files(channel(TWO, 'user.block'), channel(ONE, 'user.join')));
    const first = await keys();
    expect(first).toEqual([
      ['hooks.example.com#1', ['user.join']],
      ['hooks.example.com#2', ['user.block']],
    ]);
    await write(files(channel(ONE, 'user.join'), channel(TWO, 'user.block')));
    expect(await keys()).toEqual(first);
    await write(files(channel(ONE, 'user.join')));
    expect(await keys()).toEqual([['hooks.example.com', ['user.join']]]);
    await write(files(channel(ONE), channel(ONE)));
    const twice = await run('validate', 'network');
    expect(twice).toMatchObject({ code: 3 });
    expect(twice.stdout).toContain('declared twice');
  }));

// Marks are of a key that nobody knows: two of them tell only whether they are equal.
const numbered = (text: string, marks: RegExp): string =>
  [...new Set(text.match(marks))].reduce((left, one, i) => left.replaceAll(one, `mark ${i}`), text);

// What a file has written is known to its author, in a default and in another file too.
test.each(
  someOf(
    [
      ['https://hooks.example.com/2222', 'https://hooks.example.com/${env:PIN}'],
      ['${env:NOPE:-https://hooks.example.com/2222}', 'https://hooks.example.com/${env:PIN}'],
      ['https://hooks.example.com/${env:NOPE:-2222}', 'https://hooks.example.com/${env:PIN}'],
      ['https://hooks.example.com/${file:guess}', 'https://hooks.example.com/${env:PIN}'],
      ['https://hooks.example.com/2222${env:EMPTY:-}', 'https://hooks.example.com/${env:PIN}'],
      ['${env:NOPE:-https://hooks.example.com/2222}', '${env:WHOLE}'],
      ['https://hooks.example.com/2222', '${env:WHOLE}'],
    ],
    3,
  ),
)('a guess %s beside %s does not show whether it is right', (guess, address) => {
  const guesses = (guess.includes('2222') ? ['1111', '2222', '3333'] : ['']).map(pin =>
    channel(guess.replace('2222', pin)),
  );
  return setting(files(...guesses, channel(address)), async ({ run, env, folder }) => {
    await writeFile(join(folder, 'network/guess'), '2222');
    const said = async (pin: string) => {
      env.PIN = pin;
      env.WHOLE = `https://hooks.example.com/${pin}`;
      const texts: string[] = [];
      for (const format of ['text', 'json', 'markdown', 'comment'])
        for (const command of ['validate', 'plan', 'drift']) {
          const ended = await run(command, 'network', '--format', format);
          texts.push(`${command} ${format} ${ended.code}\n${ended.stdout}${ended.stderr}`);
        }
      const all = texts.join('\n').replaceAll(/"(content_)?digest": "[^"]*"/g, '');
      return numbered(all, /hmac-sha256:[\da-f:]+|(?<=@)[\da-f]{8}\b/g);
    };
    const right = await said('2222');
    expect(right.match(/mark \d+/g)?.length).toBeGreaterThan(3);
    const withoutPlan = (one: string) =>
      one.replaceAll(/sha256:[\da-f]{64}|[\da-f]{12,64}/g, '(digest)');
    expect(withoutPlan(right)).toBe(withoutPlan(await said('9999')));
  });
});

test('an apply refuses an address that is both written and read from a variable, before its first write', () => {
  const text = files(channel(ONE), channel('https://hooks.example.com/services/${env:PATH_OF_IT}'));
  return setting(text, async ({ run, env, urls }) => {
    env.PATH_OF_IT = ONE.slice('https://hooks.example.com/services/'.length);
    const ended = await run('apply', 'network', '--yes');
    expect(ended).toMatchObject({ code: 3 });
    expect(ended.stdout + ended.stderr).toContain('have the same address');
    expect(await urls()).toEqual([]);
  });
});

test('channels are matched by the whole address, and the others are named by their host or id', () =>
  setting(files(channel(ONE, 'user.block')), async ({ run, account }) => {
    await live(account, LIVE);
    await live(account, ONE);
    const plan = await run('plan', 'network', '--prune', 'unmanaged', '--format', 'json');
    const { resource_changes: changes } = JSON.parse(plan.stdout);
    expect(changes.map(({ change }: JsonObject) => isObject(change) && change.actions)).toEqual([
      ['update'],
      ['delete'],
    ]);
    expect(changes[0]).toMatchObject({ name: 'hooks.example.com' });
    expect(changes[1].name).toMatch(/^id:/);
    const applied = await run('apply', 'network', '--yes');
    expect(applied, applied.stderr + applied.stdout).toMatchObject({ code: 0 });
  }));

test('the journal of an apply, its output, and a failing server reveal no address', () =>
  setting(
    files(channel(ONE, 'user.block'), channel('${env:HOOK}')),
    async ({ run, account, folder, urls }) => {
      await live(account, ONE);
      await live(account, LIVE);
      for (const format of ['text', 'json', 'jsonl']) {
        const applied = await run('apply', 'network', '--yes', '--format', format);
        expect(applied, applied.stderr + applied.stdout).toMatchObject({ code: 0 });
        expectNothingOf(applied.stdout + applied.stderr + (await everything(folder)));
      }
      expect((await urls()).sort()).toEqual([ONE, OWN, LIVE].sort());
      expect(await run('plan', 'network', '--detailed-exitcode')).toMatchObject({ code: 0 });
    },
  ));

describe('a saved plan', () => {
  const saved = (text: string, use: (setting: Setting) => Promise<void>) =>
    setting(text, async given => {
      const made = await given.run('plan', 'network', '--out', 'plan.json');
      expect(made, made.stderr).toMatchObject({ code: 0 });
      await use(given);
    });
  const sources = files(channel(ONE), channel('${env:HOOK}'));
  const unsent = async ({ run, urls }: Setting, reported: RegExp, code = 5) => {
    const applied = await run('apply', 'plan.json', '--yes');
    expect(applied, applied.stdout + applied.stderr).toMatchObject({ code });
    expect(applied.stderr).toMatch(reported);
    expectNothingOf(applied.stdout + applied.stderr);
    expect(await urls()).toEqual([]);
  };

  test('is applied with the present values of its secret sources', () =>
    saved(sources, async ({ run, urls }) => {
      const applied = await run('apply', 'plan.json', '--yes');
      expect(applied, applied.stdout + applied.stderr).toMatchObject({ code: 0 });
      expect((await urls()).sort()).toEqual([OWN, ONE]);
      expect(await run('apply', 'plan.json', '--yes')).toMatchObject({ code: 0 });
    }));

  test('sends an address that only looks like a reference', () =>
    saved(files(channel(`${ONE}/$\${env:HOOK}/$\${each.key}/$\${var:A`)), async ({ run, urls }) => {
      const applied = await run('apply', 'plan.json', '--yes');
      expect(applied, applied.stdout + applied.stderr).toMatchObject({ code: 0 });
      expect(await urls()).toEqual([`${ONE}/\${env:HOOK}/\${each.key}/\${var:A`]);
    }));

  test('is stale if the file now has another address', () =>
    saved(sources, async given => {
      await given.write(files(channel(LIVE), channel('${env:HOOK}')));
      await unsent(given, /notification_channel.*hooks\.example\.com.*network\.yaml/);
    }));

  test('is stale if the place in the file no longer exists', () =>
    saved(sources, async given => {
      await given.write('groups: [{ name: one }]\n');
      await unsent(given, /network\.yaml.*no longer exists/);
    }));

  test('is stale if a variable now holds another address', () =>
    saved(sources, async given => {
      given.env.HOOK = LIVE;
      await unsent(given, /\$\{env:HOOK\}.*changed since the plan was made/);
    }));

  test('is stale if the host differs, with any key', () =>
    saved(sources, async given => {
      await given.write(files(channel(ONE.replace('hooks.', 'other.')), channel('${env:HOOK}')));
      given.env.MESHFORM_FINGERPRINT_KEY = 'another key of enough length';
      await unsent(given, /the host of .*network\.yaml.* changed since the plan was made/);
    }));

  test('a saved plan with a different key compares only the hosts, and says so', () =>
    saved(sources, async ({ env, run }) => {
      env.MESHFORM_FINGERPRINT_KEY = 'another key of enough length';
      const applied = await run('apply', 'plan.json', '--yes');
      expect(applied, applied.stdout + applied.stderr).toMatchObject({ code: 0 });
      expect(applied.stderr).toContain('web addresses were compared only by host');
    }));

  test('reports a missing secret if the variable is no longer set', () =>
    saved(sources, async given => {
      delete given.env.HOOK;
      await unsent(given, /`HOOK` is not set/, 3);
    }));

  test('detects that somebody changed the address meanwhile, although no digest covers it', () =>
    setting(files(channel(ONE, 'user.block')), async ({ account, run, folder }) => {
      const made = (await live(account, ONE)) as JsonObject;
      await run('plan', 'network', '--out', 'plan.json');
      const { meshform: plan } = JSON.parse(await readFile(join(folder, 'plan.json'), 'utf8'));
      expect(plan.actions[0].precondition).toMatchObject({ as_declared: ['target.url'] });
      await account.call('PUT', `${CHANNELS}/${made.id}`, {
        type: 'webhook',
        target: { url: LIVE },
        event_types: ['user.join'],
        enabled: true,
      });
      const applied = await run('apply', 'plan.json', '--yes');
      expect(applied, applied.stdout + applied.stderr).toMatchObject({ code: 5 });
      expect(applied.stdout).toMatch(/changed\s+in the account since the plan/);
    }));
});

test('an unset variable is a note of validate and an error of a plan, with its line', () =>
  setting(files(channel('${env:NOT_SET}')), async ({ run }) => {
    const valid = await run('validate', 'network');
    expect(valid).toMatchObject({ code: 0 });
    expect(valid.stdout).toMatch(/network\.yaml:2:\d+.*[\s\S]*NOT_SET/);
    const planned = await run('plan', 'network');
    expect(planned).toMatchObject({ code: 3 });
    expect(planned.stderr).toMatch(/NOT_SET.*the plan needs it/);
    expect(planned.stderr).not.toContain('an apply needs it');
  }));

test('the generated name of a webhook cannot be written in a file', () =>
  setting(
    files(channel('${yaml:network.yaml#/notification_channels/0/target/url}')),
    async ({ run }) => {
      expect(await run('validate', 'network')).toMatchObject({ code: 3 });
    },
  ));

test('a webhook that is removed from the files is found by its base and pruned', () =>
  setting(files(channel(ONE)), async ({ account, run, write, folder, urls }) => {
    await mkdir(join(folder, 'before'));
    await writeFile(join(folder, 'before/network.yaml'), files(channel(ONE), channel(TWO)));
    for (const url of [ONE, TWO, LIVE]) await live(account, url);
    await write(files(channel(ONE)));
    const applied = await run(
      'apply',
      'network',
      '--yes',
      '--base',
      './before',
      '--prune',
      'removed',
      '--allow',
      'DELETES_OBJECT',
    );
    expect(applied, applied.stdout + applied.stderr).toMatchObject({ code: 0 });
    expect((await urls()).sort()).toEqual([ONE, LIVE]);
  }));

test('another path on the same host is planned as a change of the declared webhook in the base', () =>
  setting(files(channel(TWO)), async ({ account, run, folder, urls }) => {
    await mkdir(join(folder, 'before'));
    await writeFile(join(folder, 'before/network.yaml'), files(channel(ONE)));
    await live(account, ONE);
    const applied = await run('apply', 'network', '--yes', '--base', './before');
    expect(applied, applied.stdout + applied.stderr).toMatchObject({ code: 0 });
    expect(applied.stdout).toContain('the rest is a secret');
    expect(await urls()).toEqual([TWO]);
    expect(await everything(join(folder, 'network'))).not.toContain('services/T');
  }));

describe('a channel whose whole address is secret', () => {
  const OLD = OWN.replace('Private', 'former');

  test('is named by its place and a digest of its address, and the order of such channels reveals nothing', () =>
    setting(files(channel(ONE), channel('${env:HOOK}')), async ({ env, run }) => {
      const name = async () => {
        const { stdout } = await run('plan', 'network', '--format', 'json');
        const names = JSON.parse(stdout).resource_changes.map(({ name }: JsonObject) => name);
        return names.find((one: string) => one.startsWith('network.yaml'));
      };
      const first = await name();
      expect(first).toMatch(/^network\.yaml#2@[0-9a-f]{8}$/);
      env.HOOK = OLD;
      expect(await name()).toMatch(/^network\.yaml#2@[0-9a-f]{8}$/);
      expect(await name()).not.toBe(first);
    }));

  test('is not named by its host when it is changed, moved to another address, or deleted', () =>
    setting(
      files(channel('${env:HOOK}', 'user.block')),
      async ({ account, env, run, folder, write, urls }) => {
        await mkdir(join(folder, 'before'));
        await writeFile(join(folder, 'before/network.yaml'), files(channel('${env:HOOK}')));
        const commands = [
          ['plan', 'network', '--base', './before', '--out', 'plan.json', '--prune', 'removed'],
          ['plan', 'network', '--adopt', 'report', '--base', './before'],
          ['show', 'plan.json', '--format', 'json'],
          ['drift', 'network', '--format', 'markdown'],
          ['apply', 'network', '--base', './before', '--prune', 'removed', '--yes'],
        ];
        const runAll = async () => {
          for (const argv of commands) {
            const allowed =
              argv[0] === 'apply' ? ['--allow', 'DELETES_OBJECT', '--resolve', 'desired'] : [];
            const ended = await run(...argv, ...allowed);
            expect([0, 2], `${argv.join(' ')}: ${ended.stderr}`).toContain(ended.code);
            expectNothingOf(ended.stdout + ended.stderr);
          }
          expectNothingOf((await everything(folder)).replaceAll(/^.*\$\{env:HOOK\}.*$/gm, ''));
        };
        await live(account, OWN);
        await runAll();
        expect(await urls()).toEqual([OWN]);
        await write('groups: [{ name: one }]\n');
        await runAll();
        expect(await urls()).toEqual([]);
        await live(account, OLD);
        env.HOOK = OWN;
        await write(files(channel('${env:HOOK}')));
        await runAll();
      },
    ));

  test('cannot be guessed from the digests of a plan', () =>
    setting(files(channel('${env:HOOK}', 'user.block')), async ({ account, env, run, folder }) => {
      const digests = async (url: string) => {
        const made = (await live(account, url)) as JsonObject;
        env.HOOK = url;
        await run('plan', 'network', '--out', 'plan.json');
        const { meshform: plan } = JSON.parse(await readFile(join(folder, 'plan.json'), 'utf8'));
        await account.call('DELETE', `${CHANNELS}/${made.id}`);
        return plan.actions.map(({ precondition }: JsonObject) => precondition);
      };
      expect(await digests(OWN)).toEqual(await digests(OLD));
    }));

  test('a channel with a reference in its host is refused too, and its host is in no finding', () =>
    setting(
      files(...Array.from({ length: 2 }, () => channel('https://${env:HOST}.evil.example.com/x'))),
      async ({ env, run }) => {
        env.HOST = 'private.example';
        for (const argv of [['validate'], ['plan'], ['drift'], ['apply', '--yes']]) {
          const ended = await run(...argv, 'network');
          expect(ended).toMatchObject({ code: 3 });
          expect(ended.stdout + ended.stderr).toMatch(/network\.yaml:2:\d+ error INPUT_FORBIDDEN/);
          expectNothingOf(ended.stdout + ended.stderr);
        }
      },
    ));

  test('gets no number that depends on the secret', () =>
    setting('', async ({ env, run, write }) => {
      const within = 'https://hooks.example.com/m/${env:PART}';
      await write(files(channel('https://hooks.example.com/m/k', 'user.block'), channel(within)));
      const names = async (part: string) => {
        env.PART = part;
        const { stdout } = await run('plan', 'network', '--format', 'json');
        return JSON.parse(stdout).resource_changes.map(({ name, change }: JsonObject) => [
          name,
          isObject(change) && isObject(change.after) && change.after.event_types,
        ]);
      };
      expect(await names('a-secret-before')).toEqual(await names('z-secret-after'));
    }));
});

test('a value that the server shows in clear text stays secret if the files read it from a secret', () =>
  setting('', async ({ env, run, write, folder }) => {
    const stream = (config: string) =>
      `event_streams: [{ platform: generic_http, config: { ${config} } }]\n`;
    env.ADDRESS = OWN;
    await write(stream('url: "${env:ADDRESS}", region: "${env:ADDRESS}"'));
    await run('apply', 'network', '--yes');
    const changed = [
      'url: "${env:ADDRESS:-x}"',
      'region: "${env:ADDRESS}", url: https://x.example',
    ];
    for (const config of [...changed, 'url: "${env:ADDRESS}", region: eu']) {
      await write(stream(config));
      for (const format of ['text', 'json', 'markdown', 'comment']) {
        const planned = await run('plan', 'network', '--format', format, '--out', 'plan.json');
        expect(planned, planned.stderr).toMatchObject({ code: 0 });
        expectNothingOf(planned.stdout + planned.stderr + (await everything(folder)));
      }
    }
  }));
