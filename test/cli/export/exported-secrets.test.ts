// What the files take from a secret is in no export, even where the server returns it in clear text: an export keeps the reference of the
// files, or that of a recorded base.
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Shape } from '../../../src/kinds/kind.ts';
import { isHidden } from '../../../src/kinds/values/hidden.ts';
import type { JsonObject } from '../../../src/model/value.ts';
import { KINDS } from '../../support/files.ts';
import { reported } from '../../support/secretSearch.ts';
import { expectCode, type Teams, teams } from '../bases/teams.ts';

/** A value for each variable. None of them is in the files. */
const SECRETS: Readonly<Record<string, string>> = {
  BODY: 'body-Q7canaryA1f9',
  HEADERS: 'headers-Q7canaryB2e8',
  STREAM: 'https://events.example.com/in/Q7canaryC3d7',
  ONE: 'one-Q7canaryD4c6',
  TWO: 'two-Q7canaryE5b5',
  HOOK: 'https://hooks.example.com/services/Q7canaryF6a4',
  WHOLE: 'https://whole.example.com/services/Q7canaryG794',
  TICKET: 'ticket-Q7canaryH883',
  PASSWORD: 'pw-Q7canaryI972',
  PIN: '8417263',
  LOCK: 'lock-Q7canaryK154',
};

/** Where the files take a secret, by kind. */
const STREAMS = `event_streams:
  - platform: generic_http
    config: { url: "\${env:STREAM}", body_template: "\${env:BODY}", headers: "\${env:HEADERS}", region: eu }
`;
const CHANNELS = `notification_channels:
  - type: webhook
    target: { url: "\${env:HOOK}", headers: { Authorization: "Bearer \${env:TICKET}" } }
    event_types: [user.join]
`;
const SERVICES = `reverse_proxy:
  services:
    - name: wiki
      domain: wiki.eu.proxy.test
      targets:
        - { target: { peer: one }, protocol: http, port: 80, path: /one, options: { custom_headers: { X-Key: "\${env:ONE}", X-Plain: plain } } }
        - { target: { peer: two }, protocol: http, port: 80, path: /two, options: { custom_headers: { X-Key: "\${env:TWO}" } } }
      auth:
        password_auth: { enabled: true, password: "\${env:PASSWORD}" }
        pin_auth: { enabled: true, pin: "\${env:PIN}" }
        header_auths: [{ enabled: true, header: x-lock, value: "\${env:LOCK}" }]
`;

/** The fields of a kind that can be a secret and that the account shows in any way, as paths without keys. */
function placesIn(shape: Shape, path: string): readonly string[] {
  switch (shape.type) {
    case 'scalar':
      return shape.secret || shape.masked || isHidden(shape) ? [path] : [];
    case 'list':
      return placesIn(shape.items, `${path}.*`);
    case 'dict':
      return placesIn(shape.values, `${path}.*`);
    case 'object':
      return [...shape.fields.values()].flatMap(field =>
        field.readOnly || (field.writeOnly && path === '')
          ? []
          : placesIn(field.shape, `${path}.${field.name}`),
      );
    default:
      return [];
  }
}

test('the files of these tests have a secret in each field that may be shown by the account', () => {
  const all = [...KINDS.values()].flatMap(({ name, shape }) =>
    placesIn(shape, '').map(place => `${name}${place}`),
  );
  expect(all.toSorted()).toEqual([
    'event_stream.config.*',
    'notification_channel.target.headers.*',
    'notification_channel.target.url',
    'proxy_service.auth.header_auths.*.value',
    'proxy_service.auth.password_auth.password',
    'proxy_service.auth.pin_auth.pin',
    'proxy_service.targets.*.options.custom_headers.*',
  ]);
});

interface Story extends Teams {
  /** Runs a command, and expects no secret in what it says, nor in any file. */
  readonly quietly: (...argv: readonly string[]) => ReturnType<Teams['run']>;
  readonly file: (name: string) => Promise<string>;
}

async function applied(
  files: Readonly<Record<string, string>>,
  tell: (story: Story) => Promise<void>,
  {
    dialect = 'spec',
    isRecorded = true,
  }: { dialect?: 'spec' | 'netbird'; isRecorded?: boolean } = {},
): Promise<void> {
  await teams(async story => {
    const { account, apply, commit, cwd, id, run } = story;
    for (const name of ['one', 'two']) await account.enrol(name);
    if (dialect === 'netbird')
      await account.control('POST', '/emulator/proxy-clusters', {
        address: 'eu.proxy.test',
        shared: true,
      });
    const own = Object.entries(files).map(([name, text]) => [`net/${name}`, text]);
    await commit({ 'net/meshform.yaml': `account: ${id}\n`, ...Object.fromEntries(own) });
    const allow = ['--allow', 'SERVICE_PUBLIC'];
    const all = isRecorded
      ? await apply('net', allow, SECRETS)
      : await run(['apply', 'net', '--yes', ...allow], SECRETS);
    expectCode(all, 0);
    const texts = async (): Promise<[string, string][]> => {
      const all = await readdir(cwd, { recursive: true, withFileTypes: true });
      const paths = all
        .filter(one => one.isFile() && !one.parentPath.includes('/.git'))
        .map(one => join(one.parentPath, one.name));
      return Promise.all(
        paths.map(async (path): Promise<[string, string]> => [path, await readFile(path, 'utf8')]),
      );
    };
    await tell({
      ...story,
      file: name => readFile(join(cwd, name), 'utf8'),
      quietly: async (...argv) => {
        const ended = await run(argv);
        const traces = new Map([
          ...(await texts()),
          ['stdout', ended.stdout],
          ['stderr', ended.stderr],
        ] as const);
        expect(reported(traces, new Map(Object.entries(SECRETS)))).toEqual([]);
        return ended;
      },
    });
  }, dialect);
}

test('an export into files keeps references to secrets if a field beside them differs', () =>
  applied({ 'a.yaml': STREAMS }, async ({ commit, quietly, file }) => {
    await commit({ 'net/a.yaml': STREAMS.replace('region: eu', 'region: us') });
    await quietly('export', '--check', 'net');
    expectCode(await quietly('export', '--out', 'net'), 0);
    expect(await file('net/a.yaml')).toContain(
      'url: "${env:STREAM}", body_template: "${env:BODY}", headers: "${env:HEADERS}", region: eu',
    );
    expect(await quietly('plan', 'net', '--detailed-exitcode')).toMatchObject({ code: 0 });
  }));

test('an export of objects that the files no longer declare has the secret references of the recorded base', () =>
  applied({ 'a.yaml': STREAMS, 'b.yaml': 'groups: [{ name: a }]\n' }, async story => {
    const { commit, cwd, quietly, file } = story;
    await commit({ 'net/a.yaml': null });
    for (const out of ['net', 'other', 'one.yaml']) {
      expectCode(await quietly('export', '--kinds', 'event_streams', '--out', out), 0);
      const name = out.endsWith('.yaml') ? out : `${out}/event_streams.yaml`;
      const text = await file(name);
      for (const name of ['STREAM', 'BODY', 'HEADERS']) expect(text).toContain(`\${env:${name}}`);
      // What one folder declares, an export into another one leaves out.
      await rm(join(cwd, name));
    }
    const { stdout } = await quietly('export', '--kinds', 'event_streams');
    expect(stdout).toContain('body_template: ${env:BODY}');
    expect(stdout).toContain('region: eu');
  }));

test('a base that no key of the run has signed shows that a text is a secret, but not its source', () =>
  applied({ 'a.yaml': STREAMS, 'b.yaml': 'groups: [{ name: a }]\n' }, async story => {
    const { commit, run } = story;
    await commit({ 'net/a.yaml': null });
    const { stdout } = await run(['export', '--kinds', 'event_streams'], {
      MESHFORM_SIGNING_KEY: 'the key of somebody else',
    });
    expect(stdout).toContain(
      'body_template: ${env:EVENT_STREAM_GENERIC_HTTP_CONFIG_BODY_TEMPLATE}',
    );
    expect(stdout).not.toContain('canary');
  }));

test('a secret under another key of an object that somebody created again is a new variable', () =>
  applied(
    { 'a.yaml': STREAMS },
    async ({ account, commit, quietly, file }) => {
      const [stream] = (await account.call('GET', '/api/event-streaming')) as { id: number }[];
      await account.call('DELETE', `/api/event-streaming/${stream?.id}`);
      await account.call('POST', '/api/event-streaming', {
        platform: 'generic_http',
        enabled: true,
        config: { url: SECRETS.STREAM ?? '', template: SECRETS.BODY ?? '', region: 'eu' },
      });
      await commit({ 'net/a.yaml': STREAMS.replace('region: eu', 'region: us') });
      expectCode(await quietly('export', '--out', 'net'), 0);
      const text = await file('net/a.yaml');
      expect(text).toContain('template: "${env:EVENT_STREAM_GENERIC_HTTP_CONFIG_TEMPLATE}"');
      expect(text).toContain('region: eu');
    },
    { isRecorded: false },
  ));

test('an object that somebody deleted and created under another name does not reveal its former secret', () =>
  applied(
    { 'a.yaml': SERVICES },
    async ({ account, quietly }) => {
      type Service = { id: string; name: string; domain: string };
      const path = '/api/reverse-proxies/services';
      const [service] = (await account.call('GET', path)) as unknown as Service[];
      await account.call('DELETE', `${path}/${service?.id}`);
      const { id: _, ...fields } = { ...service, name: 'again', domain: 'again.eu.proxy.test' };
      await account.call('POST', path, { ...fields, auth: {} } as never);
      const { stdout, stderr } = await quietly('export', '--kinds', 'proxy_service');
      expect(stdout, stderr).toContain('name: again');
      await quietly('export', '--out', 'net', '--with-unknown-services');
    },
    { dialect: 'netbird' },
  ));

test(
  'a channel keeps the reference to its address, whether or not an export can read it',
  { tags: 'variation' },
  () =>
    applied({ 'a.yaml': CHANNELS }, async ({ commit, quietly, file }) => {
      await commit({ 'net/a.yaml': CHANNELS.replace('[user.join]', '[user.block]') });
      await quietly('export', '--out', 'net');
      const text = await file('net/a.yaml');
      expect(text).toContain('url: "${env:HOOK}"');
      expect(text).toContain('Authorization: "Bearer ${env:TICKET}"');
      expect(text).not.toContain('hooks.example.com');
    }),
);

test(
  'each target of a service keeps its own header, in whatever order the files have them',
  { tags: 'variation' },
  () =>
    applied(
      { 'a.yaml': SERVICES },
      async ({ commit, quietly, file }) => {
        const lines = SERVICES.split('\n');
        const [one = '', two = ''] = lines.filter(line => line.includes('target: {'));
        // One that the account does not have, the other two in another order, and one of them with another path.
        const other = two.replace('/two', '/three').replace('TWO', 'PIN');
        const changed = [other, two, one.replace('X-Plain: plain', 'X-Plain: other')];
        const text = SERVICES.replace(`${one}\n${two}`, changed.join('\n'));
        await commit({ 'net/a.yaml': text });
        expectCode(await quietly('export', '--out', 'net'), 0);
        const exported = await file('net/a.yaml');
        const targets = exported.split('target: {').slice(1);
        expect(
          targets
            .map(target => [target.match(/peer: (\w+)/)?.[1], target.match(/env:(\w+)/)?.[1]])
            .toSorted(),
        ).toEqual([
          ['one', 'ONE'],
          ['two', 'TWO'],
        ]);
        for (const name of ['PASSWORD', 'PIN', 'LOCK'])
          expect(exported.split(`\${env:${name}}`), name).toHaveLength(2);
        expect(exported).toContain('X-Plain: plain');
      },
      { dialect: 'netbird' },
    ),
);

test('a first export writes a variable for each value of a header, also for one that looks like a reference', () =>
  applied(
    { 'a.yaml': SERVICES },
    async ({ account, quietly, run }) => {
      const path = '/api/reverse-proxies/services';
      const [{ id, meta: _, ...service } = {}] = (await account.call('GET', path)) as JsonObject[];
      const [first = {}, second = {}] = service.targets as JsonObject[];
      const options = { custom_headers: { 'X-Key': SECRETS.ONE ?? '', 'X-Form': '${env:PATH}' } };
      const targets = [{ ...first, options }, second];
      const name = 'wiki of ${env:PATH} and ${var:who}';
      await account.call('PUT', `${path}/${id}`, { ...service, name, targets });
      const { stdout } = await quietly('export');
      expect(stdout).toMatch(/X-Key: "?\$\{env:PROXY_SERVICE_WIKI_EU_PROXY_TEST_\w+_X_KEY\}/);
      expect(stdout).toMatch(/X-Form: "?\$\{env:PROXY_SERVICE_WIKI_EU_PROXY_TEST_\w+_X_FORM\}/);
      expect(stdout).toContain('wiki of $${env:PATH} and $${var:who}');
      const written = await quietly('export', '--out', 'fresh');
      expectCode(written, 0);
      const planned = await run(['plan', 'fresh', '--detailed-exitcode']);
      expect(planned.code, written.stdout + planned.stdout + planned.stderr).toBe(0);
    },
    { dialect: 'netbird', isRecorded: false },
  ));

test('a header that somebody changed by hand is a variable, and a text that the files have stays', () =>
  applied(
    { 'a.yaml': SERVICES },
    async ({ account, file, quietly }) => {
      const path = '/api/reverse-proxies/services';
      const [{ id, meta: _, ...service } = {}] = (await account.call('GET', path)) as JsonObject[];
      const [first = {}, second = {}] = service.targets as JsonObject[];
      const custom_headers = {
        'X-Key': SECRETS.ONE ?? '',
        'X-Plain': 'plain',
        'X-Hand': SECRETS.TICKET ?? '',
      };
      await account.call('PUT', `${path}/${id}`, {
        ...service,
        targets: [{ ...first, options: { custom_headers } }, second],
      });
      const ended = await quietly('export', '--out', 'net');
      // The base knows no source of the new header, so the next apply would send what the variable has.
      expectCode(ended, 2);
      expect(ended.stderr).toContain(
        'net/a.yaml:3:7 warning OBJECT_STUCK proxy_service.wiki.eu.proxy.test still differs from the account: `targets`',
      );
      const exported = await file('net/a.yaml');
      expect(exported).toContain('X-Plain: plain');
      expect(exported).toContain('${env:ONE}');
      expect(exported).toMatch(/X-Hand: "?\$\{env:PROXY_SERVICE_WIKI_EU_PROXY_TEST_\w+_X_HAND\}/);
    },
    { dialect: 'netbird' },
  ));

test('an export omits a service with a lock that somebody added by hand, and writes the rest', () =>
  applied(
    { 'a.yaml': SERVICES },
    async ({ account, file, quietly }) => {
      const path = '/api/reverse-proxies/services';
      const [{ id, meta: _, ...service } = {}] = (await account.call('GET', path)) as JsonObject[];
      const lock = (header: string) => ({ enabled: true, header, value: 'by-hand' });
      const auth = { header_auths: [lock('x-lock'), lock('x-more')] };
      await account.call('PUT', `${path}/${id}`, { ...service, auth });
      await account.call('POST', '/api/groups', { name: 'colleagues' });
      const before = await file('net/a.yaml');
      const ended = await quietly('export', '--out', 'net');
      expectCode(ended, 2);
      expect(await file('net/a.yaml')).toBe(before);
      expect(await file('net/groups.yaml')).toContain('name: colleagues');
      expect(ended.stderr).toContain(
        'net/a.yaml:3:7 warning OBJECT_STUCK proxy_service.wiki.eu.proxy.test is not changed in the files: even with the values of the account, the next apply would change `auth.header_auths.x-more.value` of proxy_service.wiki.eu.proxy.test',
      );
      expect(ended.stderr).not.toContain('Nothing was written');
      expectCode(await quietly('export', '--out', 'net'), 2);
      expect(await file('net/a.yaml')).toBe(before);
    },
    { dialect: 'netbird' },
  ));
