// The password in the address of a remote: git signs in with it, and no program gets it as an argument, which other users of the
// machine could read.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gitFault, type RemoteOptions, remoteGit } from '../../src/read/git/runGit.ts';
import { serve } from '../api/loopback.ts';
import { inFolder } from '../support/cli.ts';
import { git } from '../support/git.ts';

const PASSWORD = 'glpat-Push@TokZQ7';
const WRITTEN = encodeURIComponent(PASSWORD);
const COMMIT = 'a'.repeat(40);

/** The arguments of all processes of this machine that have the password in them. */
const seenArguments = (): readonly string[] =>
  readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(pid => argumentsOf(pid))
    .filter(text => text.includes(PASSWORD) || text.includes(WRITTEN));

function argumentsOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

const line = (text: string): string => (text.length + 4).toString(16).padStart(4, '0') + text;

/** Refs as a server of git announces them. */
function announce(request: IncomingMessage, response: ServerResponse): void {
  const service = new URL(request.url ?? '', 'http://x').searchParams.get('service') ?? '';
  response.setHeader('Content-Type', `application/x-${service}-advertisement`);
  const refs = line(`${COMMIT} refs/meshform-base/x\0report-status atomic\n`);
  response.end(`${line(`# service=${service}\n`)}0000${refs}0000`);
}

/** A server that asks who it is, and refuses some; while it has a request, it looks at the arguments of all processes. */
async function newServer(isRefused: (user: string) => boolean = () => false) {
  const seen: string[] = [];
  const signedIn: string[] = [];
  const port = await serve((request, response) => {
    seen.push(...seenArguments());
    const { authorization } = request.headers;
    const user = Buffer.from(authorization?.split(' ')[1] ?? '', 'base64').toString();
    if (authorization === undefined || isRefused(user)) {
      response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="x"' }).end();
      return;
    }
    signedIn.push(user);
    if (request.method === 'GET') announce(request, response);
    else response.writeHead(500).end();
  });
  return { seen, signedIn, port };
}

type Settings = Readonly<Record<string, string>>;
interface Case {
  readonly file?: Settings;
  readonly variable?: Settings;
  readonly user?: string;
  readonly options?: RemoteOptions;
}

const OWN = `http://ci:${WRITTEN}@127.0.0.1:PORT/x.git`;
const BARE = 'http://127.0.0.1:PORT/x.git';
const BASE = `url.http://ci:${WRITTEN}@127.0.0.1:PORT/.insteadOf`;
const isPushed = { options: { isPushed: true } };

const CASES: readonly (readonly [what: string, Case])[] = [
  ['the address of the remote', { file: { 'remote.origin.url': OWN } }],
  [
    'an address to push to',
    { file: { 'remote.origin.url': BARE, 'remote.origin.pushurl': OWN }, ...isPushed },
  ],
  [
    'an address that takes the place of another',
    { file: { 'remote.origin.url': 'https://x.invalid/x.git', [BASE]: 'https://x.invalid/' } },
  ],
  [
    'an address of a variable that takes the place of another',
    {
      file: { 'remote.origin.url': 'https://x.invalid/x.git' },
      variable: { [BASE]: 'https://x.invalid/' },
    },
  ],
  [
    'an address of a variable, to which a setting adds a password again',
    {
      file: { 'remote.origin.url': 'https://x.invalid/x.git' },
      variable: { 'remote.origin.pushurl': OWN, [BASE]: 'http://127.0.0.1:PORT/' },
      ...isPushed,
    },
  ],
  [
    'a user name alone',
    {
      file: { 'remote.origin.url': `http://${WRITTEN}@127.0.0.1:PORT/x.git` },
      user: `${PASSWORD}:`,
    },
  ],
];

/** Variables with which git gets settings. */
const variablesOf = (settings: Settings): Record<string, string> => ({
  GIT_CONFIG_COUNT: String(Object.keys(settings).length),
  ...Object.fromEntries(
    Object.entries(settings).flatMap(([key, value], i) => [
      [`GIT_CONFIG_KEY_${i}`, key],
      [`GIT_CONFIG_VALUE_${i}`, value],
    ]),
  ),
});

const atPort = (settings: Settings, port: number): Settings =>
  Object.fromEntries(
    Object.entries(settings).map(([key, value]) => [
      key.replace('PORT', String(port)),
      value.replace('PORT', String(port)),
    ]),
  );

function placeOf(folder: string, variable: Settings) {
  const { GIT_ASKPASS: _, SSH_ASKPASS: __, ...env } = process.env;
  const own = { ...env, HOME: folder, GIT_CONFIG_NOSYSTEM: '1', ...variablesOf(variable) };
  return { folder, host: { env: own } };
}

const HELPER = `!f() { test "$1" = get && echo password=${PASSWORD}; }; f`;

const isLinux = existsSync('/proc/self/cmdline');

test.runIf(isLinux).each(CASES)(
  'no program gets the password of a remote as an argument: %s',
  (_, { file = {}, variable = {}, user = `ci:${PASSWORD}`, options }) =>
    inFolder(async folder => {
      const { seen, signedIn, port } = await newServer();
      git(folder, 'init', '--quiet');
      for (const [key, value] of Object.entries(atPort(file, port)))
        git(folder, 'config', key, value);
      const place = placeOf(folder, atPort(variable, port));
      const asked = ['ls-remote', '--end-of-options', 'origin'];
      const listed = await remoteGit(place, asked, options).catch(error => gitFault(error).why);
      expect(String(listed)).toBe(`${COMMIT}\trefs/meshform-base/x\n`);
      expect(new Set(signedIn)).toEqual(new Set([user]));
      expect(seen).toEqual([]);
    }),
);

test.each([
  ['the program of a setting', { 'core.askPass': 'FOLDER/ask' }],
  [
    'a helper for addresses with this user',
    { 'credential.http://ci@127.0.0.1:PORT.helper': HELPER },
  ],
])('a user alone signs in with the password of %s', (_, file) =>
  inFolder(async folder => {
    const { signedIn, port } = await newServer(user => user === 'ci:');
    writeFileSync(join(folder, 'ask'), `#!/bin/sh\necho ${PASSWORD}\n`, { mode: 0o700 });
    git(folder, 'init', '--quiet');
    git(folder, 'remote', 'add', 'origin', `http://ci@127.0.0.1:${port}/x.git`);
    for (const [key, value] of Object.entries(atPort(file, port)))
      git(folder, 'config', key, value.replace('FOLDER', folder));
    await remoteGit(placeOf(folder, {}), ['ls-remote', '--end-of-options', 'origin']);
    expect(new Set(signedIn)).toEqual(new Set([`ci:${PASSWORD}`]));
  }),
);

test('git signs in with the address although it was started with settings that reset helpers', () =>
  inFolder(async folder => {
    const { signedIn, port } = await newServer();
    git(folder, 'init', '--quiet');
    git(folder, 'remote', 'add', 'origin', OWN.replace('PORT', String(port)));
    const place = placeOf(folder, {});
    const env = { ...place.host.env, GIT_CONFIG_PARAMETERS: "'credential.helper='" };
    await remoteGit({ folder, host: { env } }, ['ls-remote', '--end-of-options', 'origin']);
    expect(signedIn).toEqual([`ci:${PASSWORD}`]);
  }));

test('git never signs in as another user of a `.netrc` than the user in the address', () =>
  inFolder(async folder => {
    const { signedIn, port } = await newServer();
    git(folder, 'init', '--quiet');
    git(folder, 'remote', 'add', 'origin', OWN.replace('PORT', String(port)));
    writeFileSync(join(folder, '.netrc'), 'machine 127.0.0.1 login bob password of-bob\n');
    const asked = ['ls-remote', '--end-of-options', 'origin'];
    const listed = await remoteGit(placeOf(folder, {}), asked).catch(error => gitFault(error).why);
    // git signs in before it is asked since 2.46.
    const isRefused = String(listed).includes('has another user than `.netrc` has for this host');
    expect(signedIn).toEqual(isRefused ? [] : [`ci:${PASSWORD}`]);
  }));

test.runIf(isLinux)('a push has no password among its arguments', () =>
  inFolder(async folder => {
    const { seen, signedIn, port } = await newServer();
    git(folder, 'init', '--quiet');
    git(folder, 'commit', '--quiet', '--allow-empty', '--message=first');
    git(folder, 'remote', 'add', 'origin', OWN.replace('PORT', String(port)));
    const push = ['push', '--porcelain', '--end-of-options', 'origin', 'HEAD:refs/meshform-base/y'];
    await expect(remoteGit(placeOf(folder, {}), push)).rejects.toThrow();
    expect(signedIn.length).toBeGreaterThan(1);
    expect(seen).toEqual([]);
  }),
);
