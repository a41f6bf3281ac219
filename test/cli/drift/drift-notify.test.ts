// `drift --notify` tells a webhook of drift, and no failure of that changes how the run ends.
import { createHmac } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { applyFiles, found, type Team, team } from '../../attribution/team.ts';
import { receiver } from '../../emulator/delivery/receiver.ts';

const FILES = `
posture_checks:
  - { name: recent, description: as agreed, checks: { nb_version_check: { min_version: 1.2.0 } } }
`;
const HOUR = 3_600_000;

/** A check that somebody changes by hand, and back. */
async function changed({ people: [ada] }: Team, description: string): Promise<void> {
  const path = '/api/posture-checks';
  const { id, ...check } = await found(ada.call, path, 'recent');
  await ada.call('PUT', `${path}/${id}`, { ...check, description });
}

const applied = (use: (world: Team) => Promise<void>) => () =>
  team(async world => {
    await applyFiles(world, FILES);
    await use(world);
  });

const notify = (url: string, more: Readonly<Record<string, string>> = {}) => ({
  MESHFORM_NOTIFY_URL: url,
  ...more,
});

test(
  'simultaneous runs that find the same new state count as separate runs, and only one of them notifies',
  applied(async world => {
    const { url, received } = await receiver();
    await changed(world, 'otherwise');
    const argv = ['drift', '--notify', '--notify-state', 'state.json'];
    await Promise.all(Array.from({ length: 4 }, () => world.run(argv, notify(url))));
    expect(received).toHaveLength(1);
    const { drift } = JSON.parse(await readFile(join(world.cwd, 'state.json'), 'utf8'));
    expect(drift.runs).toBe(4);
  }),
);

describe('a notification', () => {
  test(
    'says what differs and who changed it, and is signed; the run prints neither the secret part of the URL nor the signing key',
    applied(async world => {
      const { url, received } = await receiver();
      await changed(world, '<!channel> `x`');
      const env = notify(`${url}/T000/secretpath`, { MESHFORM_NOTIFY_SECRET: 'hush-hush-key' });
      const ended = await world.run(['drift', '--notify'], env);
      expect(ended.code).toBe(2);
      expect(received).toHaveLength(1);
      const { headers = {}, text = '' } = { ...received[0] };
      const body = JSON.parse(text);
      expect(body.text).toContain('`posture_check.recent` has changed in the account');
      expect(body.text).toContain('exact, ada@example.com at 2026-11-02T');
      expect(body.meshform.objects).toMatchObject([
        { address: 'posture_check.recent', attribution: { by: { email: 'ada@example.com' } } },
      ]);
      const time = String(headers['meshform-timestamp']);
      expect(Math.abs(Number(time) * 1000 - world.pass(0))).toBeLessThan(60_000);
      const digest = createHmac('sha256', 'hush-hush-key').update(`${time}.${text}`).digest('hex');
      expect(headers['meshform-signature']).toBe(`v1=${digest}`);
      expect(ended.stdout + ended.stderr).not.toMatch(/secretpath|hush-hush/);
    }),
  );

  test(
    'is not sent without drift, and without a key it is not signed',
    applied(async world => {
      const { url, received } = await receiver();
      expect((await world.run(['drift', '--notify'], notify(url))).code).toBe(0);
      expect(received).toEqual([]);
      await changed(world, 'theirs');
      await writeFile(join(world.cwd, 'address'), `${url}\n`);
      await world.run(['drift', '--notify', '--notify-url-file', 'address']);
      await world.run(['drift', '--notify', '--notify-url-file', 'address']);
      expect(received).toHaveLength(2);
      expect(received[0]?.headers['meshform-signature']).toBeUndefined();
    }),
  );
});

describe('a notification that fails', () => {
  test.each([[500], ['reset'], [302]] as const)(
    'a notification that fails with %s is a warning that names only the host',
    mood =>
      applied(async world => {
        const { url, received } = await receiver([mood]);
        await changed(world, 'theirs');
        const ended = await world.run(['drift', '--notify'], notify(`${url}/T000/secretpath`));
        expect(ended.code).toBe(2);
        expect(ended.stderr).toMatch(
          /^warning: the notification of "?127\.0\.0\.1:\d+"? failed: /m,
        );
        expect(ended.stderr).not.toContain('secretpath');
        expect(received).toHaveLength(1);
      })(),
  );

  test(
    'a notification that fails because of a redirect does not send its signature to another server',
    applied(async world => {
      const target = await receiver();
      const server = createServer((_, answer) =>
        answer.writeHead(307, { location: target.url }).end(),
      );
      await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
      onTestFinished(() => new Promise<void>(resolve => void server.close(() => resolve())));
      await changed(world, 'theirs');
      const url = `http://127.0.0.1:${Object(server.address()).port}/`;
      const ended = await world.run(
        ['drift', '--notify'],
        notify(url, { MESHFORM_NOTIFY_SECRET: 'key' }),
      );
      expect(ended.code).toBe(2);
      expect(ended.stderr).toContain('redirects are not followed');
      expect(target.received).toEqual([]);
    }),
  );

  test(
    'a notification without a response ends after the time limit of a request',
    applied(async world => {
      const server = createServer(() => {});
      await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
      onTestFinished(() => {
        server.close();
        server.closeAllConnections();
      });
      await changed(world, 'theirs');
      const url = `http://127.0.0.1:${Object(server.address()).port}/`;
      const ended = await world.run(['drift', '--notify', '--timeout', '1'], notify(url));
      expect(ended.code).toBe(2);
      expect(ended.stderr).toContain('failed: no answer in time');
    }),
  );

  test(
    'is sent again by the next run',
    applied(async world => {
      const { url, taken } = await receiver([500]);
      await changed(world, 'theirs');
      const run = () => world.run(['drift', '--notify', '--notify-state', 'state'], notify(url));
      for (let i = 0; i < 3; i++) expect((await run()).code).toBe(2);
      expect(taken()).toHaveLength(1);
    }),
  );
});

describe('with a file that counts runs', () => {
  test(
    'drift is reported after a number of runs, again after a time, and when it has ended',
    applied(async world => {
      const { url, taken } = await receiver();
      const flags = [
        '--notify',
        '--notify-state',
        'state',
        '--notify-after',
        '2',
        '--notify-remind',
        '2h',
      ];
      const run = async () => {
        world.pass(HOUR);
        await world.run(['drift', ...flags], notify(url));
        return taken().map(body => Object(body.meshform).reasons.join());
      };
      await changed(world, 'theirs');
      expect(await run()).toEqual([]);
      expect(await run()).toEqual(['drift']);
      expect(await run()).toEqual(['drift']);
      expect(await run()).toEqual(['drift', 'drift-reminder']);
      await changed(world, 'as agreed');
      expect(await run()).toEqual(['drift', 'drift-reminder', 'drift-ended']);
      expect(await run()).toHaveLength(3);
      expect((await stat(join(world.cwd, 'state'))).mode & 0o777).toBe(0o600);
    }),
  );

  test(
    'a run that could not read the account counts as a separate state',
    applied(async world => {
      const { url, taken } = await receiver();
      await changed(world, 'theirs');
      const run = (env = {}) =>
        world.run(['drift', '--notify', '--notify-state', 'state'], { ...notify(url), ...env });
      await run();
      const ended = await run({ MESHFORM_TOKEN: 'nbp_wrong' });
      expect(ended.code).toBe(1);
      await run();
      const reported = taken().map(body => Object(body.meshform));
      expect(reported.map(({ state, reasons }) => [state, ...reasons])).toEqual([
        ['drift', 'drift'],
        ['unreadable', 'unreadable'],
        ['drift', 'unreadable-ended'],
      ]);
      expect(JSON.stringify(reported)).not.toContain('nbp_wrong');
    }),
  );

  test(
    'a truncated file counts as new, and a file of another kind is not touched',
    applied(async world => {
      const { url, taken } = await receiver();
      await changed(world, 'theirs');
      const run = (file: string) =>
        world.run(['drift', '--notify', '--notify-state', file], notify(url));
      await run('state');
      await writeFile(join(world.cwd, 'state'), '{"meshform_drift_state":1,"sub');
      const ended = await run('state');
      expect(ended.code).toBe(2);
      expect(ended.stderr).toContain(
        'warning: `state` is not complete: its counts start again at zero',
      );
      expect(taken()).toHaveLength(2);
      expect((await run('network.yaml')).code).toBe(64);
      expect(await readFile(join(world.cwd, 'network.yaml'), 'utf8')).toBe(FILES);
    }),
  );
});

test(
  'contradictory flags are refused before any request',
  applied(async world => {
    const before = world.account.requests.length;
    const refused: readonly [string[], Record<string, string>, string][] = [
      [['--notify'], {}, 'no address for notifications is in MESHFORM_NOTIFY_URL'],
      [['--notify'], notify('hooks.example.com/T0/secretpath'), 'is not a web address'],
      [['--notify'], notify('https://h.example', { MESHFORM_NOTIFY_SECRET: '' }), 'is empty'],
      [['--notify-state', 'state'], {}, '--notify-state has no effect without --notify'],
      [['--notify', '--notify-after', '2'], notify('https://h.example'), 'needs a file'],
      [['--notify', '--notify-url-file', 'none'], {}, 'cannot be read'],
      [['--notify', '--notify-remind', 'soon'], {}, 'duration'],
    ];
    for (const [flags, env, words] of refused) {
      const ended = await world.run(['drift', ...flags], env);
      expect([ended.code, ended.stderr], flags.join(' ')).toEqual([
        64,
        expect.stringContaining(words),
      ]);
      expect(ended.stderr).not.toContain('secretpath');
    }
    expect(world.account.requests.length).toBe(before);
  }),
);
